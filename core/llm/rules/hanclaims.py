"""Chinese sentences that no form reads: switches and lists of a project, decisions, plain claims in their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.llm.rules.draft import Draft
from core.llm.rules.phrases import tidy
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.slots import normalise

LASTING = 0.6
_FEWEST = 6  # characters of a claim
_MOST = 120
_NAME = r"[A-Za-z0-9\u4e00-\u9fff .+#/_-]"
_SWITCHED = re.compile(
    rf"^(?P<s>[^，,：:从由]{{0,12}}?)(?:已经?|现在|最近|刚刚?|将)?(?:从|由)\s*(?P<x>{_NAME}{{1,30}}?)\s*"
    rf"(?:切换|迁移|更换|升级|改|换|转|迁)(?:到|成|为|用|至)了?\s*(?P<v>{_NAME}{{1,30}}?)了?(?=[，,。；;！!（(]|$)"
)
_REPLACED = re.compile(
    rf"^(?P<s>[^，,：:用以]{{0,12}}?)(?:已经?|现在)?(?:用|以)\s*(?P<v>{_NAME}{{1,30}}?)\s*(?:替换|取代|代替|"
    rf"替代)了?\s*(?P<x>{_NAME}{{1,30}}?)了?"
    r"(?=[，,。；;！!]|$)"
)
_STACK = re.compile(
    r"^(?P<s>[^，,：:]{0,10}?)的?(?:技术栈|工具链|技术选型|开发环境|依赖)(?:是|为|包括|有)?\s*[：:]?\s*(?P<v>[^，,。；;]+)"
)
_LIST = re.compile(r"\s*(?:\+|、|/|和|与|以及)\s*")
_DECIDED = re.compile(
    rf"^(?P<s>我们|我|团队|公司|项目组)?(?:已经?|最终|现在)?(?:决定|选择|选定|确定)了?(?:使用|采用|用|选用)?\s*(?P<v>{_NAME}{{1,30}}?)\s*"
    r"(?:作为|当作|做|为)\s*(?P<a>[^，,。；;！!]{2,12})"
)
_ASKS = re.compile(r"[吗呢么？?]\s*$|什么|怎么|为什么|多少|哪|谁|几[个岁点]|是不是|能不能|可不可以|有没有|请问")
_SILENT = re.compile(
    r"^(?:谢谢|多谢|感谢|你好|您好|嗨|哈|好的|好吧|嗯|哦|是的|对|没事|再见|早上好|晚安|请|帮我|给我|告诉我|写|翻译|总结|解释|如果|假如|要是|"
    r"也许|可能|我觉得|我想|希望|今天天气)|[你您]|(?:吧|啊|呀|啦|哈|嘛)[。！!]?$|我有(?:一个|几个|个)?(?:问题|疑问|想法|建议)|故事|小说|笑话|据说|听说|比如"
)
_FIRST = re.compile(r"^(?:我们的?|我的?|咱们?)")
_VERB = re.compile(
    r"是|在|有|支持|使用|采用|需要|属于|位于|包括|包含|负责|运行|部署|提供|依赖|必须|应该|已|将|会|可以|不能|禁止|开放|关闭|启用|停用|决定|"
    r"完成|通过|发布|上线|搬|改|换|放|存|开始|结束"
)


def read_han(said: Sentence, scene: Scene) -> list[Draft]:
    """The drafts of one Chinese sentence; at most one of them a plain claim."""
    plain = said.text.strip(" 。！!；;")
    if _ASKS.search(said.text) or _SILENT.search(plain) or not _FEWEST <= len(plain) <= _MOST:
        return []
    if found := _SWITCHED.match(plain) or _REPLACED.match(plain):
        return list(_switched(found, said, scene))
    if (found := _STACK.match(plain)) and len(parts := _LIST.split(tidy(found["v"]))) > 1:
        whose = _subject(found["s"])
        shown = "你" if whose == "user" else whose
        return [
            replace(_draft(whose, "uses", part, said), statement=f"{shown}使用{tidy(part)}。")
            for part in parts
            if tidy(part)
        ]
    if found := _DECIDED.match(plain):
        return [_draft(_subject(found["s"] or ""), tidy(found["a"]), found["v"], said)]
    if not _VERB.search(plain):
        return []
    return [replace(_draft(_topic(plain), "statement", plain, said), importance=LASTING)]


def _switched(found: re.Match[str], said: Sentence, scene: Scene) -> Iterator[Draft]:
    old, new, whose = tidy(found["x"]), tidy(found["v"]), _subject(found["s"])
    held = [one for one in scene.known if one.attribute != "event" and normalise(old) in normalise(one.value)]
    mine = [one for one in held if normalise(one.subject) == normalise(whose)] or held
    for one in mine:
        yield replace(_draft(one.subject, one.attribute, one.value, said), retracts=True)
        if one.attribute != "statement":
            yield replace(_draft(one.subject, one.attribute, new, said), statement=one.text.replace(one.value, new))
    if not any(one.attribute != "statement" for one in mine):
        yield _draft(whose, "uses", new, said)


def _subject(words: str) -> str:
    return tidy(_FIRST.sub("", words)) or "user"


def _topic(plain: str) -> str:
    """What the sentence speaks of: the words before its verb."""
    verb = _VERB.search(plain)
    return _subject(plain[: verb.start()] if verb and verb.start() else "")


def _draft(subject: str, attribute: str, value: str, said: Sentence) -> Draft:
    words = said.text.strip().rstrip("。") + "。"
    return Draft(subject, attribute, tidy(value), words, said.start, said.end, language="zh")
