"""Forms of Chinese (simplified; the traditional forms of the commonest words)."""

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.phrases import by_word

_END = r"[，,。；;！!？?\s]"


_V = r"(?P<v>[^，,。；;！!？?\s]+)"


_I = r"(?:我|我们|(?<=[，,。、 ])|^)"


_REL = (
    "(?:女儿|儿子|妈妈|母亲|爸爸|父亲|姐姐|妹妹|哥哥|弟弟|妻子|老婆|太太|丈夫|老公|女朋友|男朋友|奶奶|爷爷|外婆|外公|狗|小狗|猫|小猫|兔子|朋友|同事|老板|经理|邻居|"
    "室友|孩子)"
)


CHINESE: dict[str, Any] = {
    "code": "zh",
    "telling": re.compile(r"[\u4e00-\u9fff]"),
    "certain": re.compile(r"[\u4e00-\u9fff]{2}"),
    "stop": re.compile(r"[，,。；;！!？?\s]|(?:但是|但|而且|因为|所以|和我)"),
    "joiner": re.compile(r"[、,]|和|跟|以及"),
    "forms": (
        (
            "name",
            re.compile(r"(?:我叫|我的名字(?:是|叫)|我姓名是|本人)(?P<v>[\u4e00-\u9fffA-Za-z·]{2,12})"),
            "你叫{v}。",
        ),
        ("favorite", re.compile(rf"我最喜欢的(?P<k>[\u4e00-\u9fff]{{1,4}}?)是{_V}"), "你最喜欢的{k}是{v}。"),
        (
            "travel",
            re.compile(
                r"我(?:们)?(?:下周|下个?月|明天|后天|周[一二三四五六日]|\d+月\d*[日号]?)?(?:要|会)?(?P<v>(?:去|飞)[^，,。！!？?\s]{2,10}?(?:出差|"
                "旅行|旅游|玩|度假|开会))"
            ),
            "你{v}。",
        ),
        (
            "response_preference",
            re.compile(
                r"(?P<v>(?:请|以后|以后请)(?:都|一直)?用[^，,。！!？?\s]{1,8}(?:回答|回复)[^，,。！!？?\s]{0,4})"
            ),
            "你要求：{v}。",
        ),
        (
            "nickname",
            re.compile(r"(?:大家都?叫我|朋友们?都?叫我|请叫我|可以叫我|叫我)(?P<v>[^，,。！!？?\s吧就]{1,10})"),
            "大家叫你{v}。",
        ),
        ("-home", re.compile(rf"我(?:已经)?不(?:再)?住在?{_V}了"), "你不再住在{v}。"),
        ("-job", re.compile(r"我(?:已经)?不(?:再)?(?:做|当|是)(?P<v>[^，,。！!？?\s]+?)了"), "你不再做{v}。"),
        ("-smoking", re.compile(r"我(?:已经)?(?:不再|不|戒)(?P<v>抽烟|吸烟|烟)了"), "你不抽烟了。"),
        (
            "home",
            re.compile(
                r"(?<![不她他它妈爸姐妹哥弟])(?:住在|搬到了?|搬去了?|定居在?|家在)(?P<v>[^，,。；;！!？?\s]+?)了?(?=[，,。；;！!？?\s]|$)"
            ),
            "你住在{v}。",
        ),
        ("hometown", re.compile(rf"我(?:来自|老家在|老家是|出生在|是从){_V}"), "你来自{v}。"),
        ("birthday", re.compile(r"我?的?生日(?:是|在)(?P<v>[^，,。！!？?\s]+)"), "你的生日是{v}。"),
        (
            "job",
            re.compile(
                r"我(?:现在)?(?:是|当|做)(?:一[名个位])?(?P<v>[^，,。！!？?\s]{0,10}?(?:师|员|生|家|者|工|医|官|手|长|理|人|厨|司机|护士|教授|会计|"
                r"设计|程序员))(?=[，,。！!？?\s]|$)"
            ),
            "你是{v}。",
        ),
        ("job", re.compile(rf"我的(?:工作|职业)是{_V}"), "你的工作是{v}。"),
        ("employer", re.compile(r"在(?P<v>[^，,。！!？?\s]{2,15}?)(?:工作|上班)"), "你在{v}工作。"),
        ("allergy", re.compile(r"对(?P<v>[^，,。！!？?\s]{1,15}?)(?:严重)?过敏"), "你对{v}过敏。"),
        ("diet", re.compile(r"我(?:是|吃)(?P<v>素食者|素食主义者|素|纯素|清真)"), "你是{v}。"),
        ("dislikes", re.compile(rf"(?:不(?:太)?喜欢|讨厌|不爱){_V}"), "你不喜欢{v}。"),
        ("likes", re.compile(rf"(?<!不)(?<!不太)(?:喜欢|爱好是|热爱|最爱)(?!的){_V}"), "你喜欢{v}。"),
        ("avoids", re.compile(r"我(?:不吃|不喝|不能吃|不能喝)(?P<v>[^，,。！!？?\s]+)"), "你不吃{v}。"),
        ("language", re.compile(r"我(?:会说|会讲|说)(?P<v>[^，,。！!？?\s]+?[语文话])"), "你会说{v}。"),
        ("studies", re.compile(r"我(?:在|正在)?学(?!校|生)(?:习)?(?P<v>[^，,。！!？?\s]+)"), "你在学{v}。"),
        ("age", re.compile(r"我(?:今年)?(?P<v>[\d一二三四五六七八九十]+岁)"), "你{v}。"),
        (
            "condition",
            re.compile(r"我有(?P<v>糖尿病|哮喘|高血压|偏头痛|乳糖不耐症|[\u4e00-\u9fff]{1,5}(?:病|症|炎))"),
            "你有{v}。",
        ),
        ("phone", re.compile(r"我的(?:电话|手机)(?:号码?)?是(?P<v>[\d -]{7,})"), "你的电话是{v}。"),
        ("email", re.compile(r"我的(?:邮箱|电子邮件|邮件地址)是(?P<v>[\w.+-]+@[\w.-]+)"), "你的邮箱是{v}。"),
        (
            "deadline",
            re.compile(
                r"(?P<x>[\u4e00-\u9fff]{2,10}?)的?(?:截止日期|截止时间|期限|交稿日)(?:是|为)(?P<v>[^，,。！!？?\s]+)"
            ),
            "{x}的截止日期是{v}。",
        ),
        (
            "current_location",
            re.compile(r"(?:这周|本周|这几天|今天)我在(?P<v>[^，,。！!？?\s]{2,10}?)(?:出差|旅行|开会|度假)"),
            "你在{v}。",
        ),
    ),
    "turns": ((r"我们", "你们"), (r"我", "你")),
    "relations": by_word(
        {
            "daughter": "女儿",
            "son": "儿子",
            "mother": "妈妈, 母亲",
            "father": "爸爸, 父亲",
            "sister": "姐姐, 妹妹",
            "brother": "哥哥, 弟弟",
            "spouse": "妻子, 老婆, 太太, 丈夫, 老公",
            "partner": "女朋友, 男朋友",
            "grandmother": "奶奶, 外婆",
            "grandfather": "爷爷, 外公",
            "dog": "狗, 小狗",
            "cat": "猫, 小猫",
            "rabbit": "兔子",
            "friend": "朋友",
            "colleague": "同事",
            "manager": "老板, 经理",
            "neighbour": "邻居",
            "flatmate": "室友",
            "child": "孩子",
        }
    ),
    "relation": re.compile(
        f"(?P<own>我的?|我们家?)(?P<rel>{_REL})的?(?:名字)?(?:叫|名叫|"
        rf"名字是)(?P<name>[\u4e00-\u9fffA-Za-z·]{{1,8}}?)(?={_END}|$|今年)"
    ),
    "relation_says": "{own}{rel}叫{v}。",
    "of_relation": (
        (
            "age",
            re.compile(
                rf"(?:(?P<rel>{_REL})|[，,]|她|他|它)(?:今年|已经)?(?P<v>[\d一二三四五六七八九十两半]+(?:岁|个月)(?:半)?)"
            ),
            "{x}{v}。",
        ),
        (
            "job",
            re.compile(
                rf"(?:(?P<rel>{_REL})|她|他)是(?:一[名个位])?(?P<v>[^，,。！!？?\s]{{1,8}}?(?:师|员|家|医生|工|长|护士|教授|会计|"
                f"司机))(?={_END}|$)"
            ),
            "{x}是{v}。",
        ),
        ("home", re.compile(rf"(?:(?P<rel>{_REL})|她|他)住在(?P<v>[^，,。！!？?\s]+)"), "{x}住在{v}。"),
    ),
}
