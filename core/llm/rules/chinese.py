"""Forms of Chinese (simplified; the traditional forms of the commonest words)."""

from __future__ import annotations

import re
from typing import Any

_END = r"[，,。；;！!？?\s]"
_V = rf"(?P<v>[^，,。；;！!？?\s]+)"
_I = r"(?:我|我们|(?<=[，,。、 ])|^)"
_REL = r"(?:女儿|儿子|妈妈|母亲|爸爸|父亲|姐姐|妹妹|哥哥|弟弟|妻子|老婆|太太|丈夫|老公|女朋友|男朋友|奶奶|爷爷|外婆|外公|狗|小狗|猫|小猫|兔子|朋友|同事|老板|经理|邻居|室友|孩子)"

CHINESE: dict[str, Any] = {
    "code": "zh",
    "telling": re.compile(r"[\u4e00-\u9fff]"),
    "certain": re.compile(r"[\u4e00-\u9fff]{2}"),
    "stop": re.compile(r"[，,。；;！!？?\s]|(?:但是|但|而且|因为|所以|和我)"),
    "joiner": re.compile(r"[、,]|和|跟|以及"),
    "forms": (
        ("name", re.compile(r"(?:我叫|我的名字(?:是|叫)|我姓名是|本人)(?P<v>[\u4e00-\u9fffA-Za-z·]{2,12})"), "你叫{v}。"),
        ("nickname", re.compile(r"(?:大家都?叫我|朋友们?都?叫我|请叫我|可以叫我|叫我)(?P<v>[^，,。！!？?\s吧就]{1,10})"), "大家叫你{v}。"),
        ("-home", re.compile(rf"我(?:已经)?不(?:再)?住在?{_V}了"), "你不再住在{v}。"),
        ("-job", re.compile(r"我(?:已经)?不(?:再)?(?:做|当|是)(?P<v>[^，,。！!？?\s]+?)了"), "你不再做{v}。"),
        ("-smoking", re.compile(r"我(?:已经)?(?:不再|不|戒)(?P<v>抽烟|吸烟|烟)了"), "你不抽烟了。"),
        ("home", re.compile(rf"(?<!不)(?:住在|搬到了?|搬去了?|定居在?|家在){_V}"), "你住在{v}。"),
        ("hometown", re.compile(rf"我(?:来自|老家在|老家是|出生在|是从){_V}"), "你来自{v}。"),
        ("birthday", re.compile(r"我?的?生日(?:是|在)(?P<v>[^，,。！!？?\s]+)"), "你的生日是{v}。"),
        ("job", re.compile(r"我(?:现在)?(?:是|当|做)(?:一[名个位])?(?P<v>[^，,。！!？?\s]{0,10}?(?:师|员|生|家|者|工|医|官|手|长|理|人|厨|司机|护士|教授|会计|设计|程序员))(?=[，,。！!？?\s]|$)"), "你是{v}。"),
        ("job", re.compile(rf"我的(?:工作|职业)是{_V}"), "你的工作是{v}。"),
        ("employer", re.compile(r"在(?P<v>[^，,。！!？?\s]{2,15}?)(?:工作|上班)"), "你在{v}工作。"),
        ("allergy", re.compile(r"对(?P<v>[^，,。！!？?\s]{1,15}?)(?:严重)?过敏"), "你对{v}过敏。"),
        ("diet", re.compile(r"我(?:是|吃)(?P<v>素食者|素食主义者|素|纯素|清真)"), "你是{v}。"),
        ("dislikes", re.compile(rf"(?:不(?:太)?喜欢|讨厌|不爱){_V}"), "你不喜欢{v}。"),
        ("likes", re.compile(rf"(?<!不)(?<!不太)(?:喜欢|爱好是|热爱|最爱){_V}"), "你喜欢{v}。"),
        ("avoids", re.compile(r"我(?:不吃|不喝|不能吃|不能喝)(?P<v>[^，,。！!？?\s]+)"), "你不吃{v}。"),
        ("language", re.compile(r"我(?:会说|会讲|说)(?P<v>[^，,。！!？?\s]+?[语文话])"), "你会说{v}。"),
        ("studies", re.compile(r"我(?:在|正在)?学(?!校|生)(?:习)?(?P<v>[^，,。！!？?\s]+)"), "你在学{v}。"),
        ("age", re.compile(r"我(?:今年)?(?P<v>[\d一二三四五六七八九十]+岁)"), "你{v}。"),
        ("condition", re.compile(r"我有(?P<v>糖尿病|哮喘|高血压|偏头痛|乳糖不耐症|[\u4e00-\u9fff]{1,5}(?:病|症|炎))"), "你有{v}。"),
        ("phone", re.compile(r"我的(?:电话|手机)(?:号码?)?是(?P<v>[\d -]{7,})"), "你的电话是{v}。"),
        ("email", re.compile(r"我的(?:邮箱|电子邮件|邮件地址)是(?P<v>[\w.+-]+@[\w.-]+)"), "你的邮箱是{v}。"),
        ("deadline", re.compile(r"(?P<x>[\u4e00-\u9fff]{2,10}?)的?(?:截止日期|截止时间|期限|交稿日)(?:是|为)(?P<v>[^，,。！!？?\s]+)"), "{x}的截止日期是{v}。"),
        ("current_location", re.compile(r"(?:这周|本周|这几天|今天)我在(?P<v>[^，,。！!？?\s]{2,10}?)(?:出差|旅行|开会|度假)"), "你在{v}。"),
    ),
    "relations": {
        "女儿": "daughter", "儿子": "son", "妈妈": "mother", "母亲": "mother", "爸爸": "father", "父亲": "father", "姐姐": "sister", "妹妹": "sister", "哥哥": "brother", "弟弟": "brother", "妻子": "spouse", "老婆": "spouse", "太太": "spouse", "丈夫": "spouse", "老公": "spouse",
        "女朋友": "partner", "男朋友": "partner", "奶奶": "grandmother", "外婆": "grandmother", "爷爷": "grandfather", "外公": "grandfather", "狗": "dog", "小狗": "dog", "猫": "cat", "小猫": "cat", "兔子": "rabbit", "朋友": "friend", "同事": "colleague", "老板": "manager", "经理": "manager", "邻居": "neighbour", "室友": "flatmate", "孩子": "child",
    },
    "relation": re.compile(rf"(?P<own>我的?|我们家?)(?P<rel>{_REL})的?(?:名字)?(?:叫|是)(?P<name>[\u4e00-\u9fffA-Za-z·]{{1,8}}?)(?={_END}|$|今年)"),
    "relation_says": "{own}{rel}叫{v}。",
    "of_relation": (
        ("age", re.compile(rf"(?:(?P<rel>{_REL})|[，,]|她|他|它)(?:今年|已经)?(?P<v>[\d一二三四五六七八九十两半]+(?:岁|个月)(?:半)?)"), "{x}{v}。"),
        ("job", re.compile(rf"(?:(?P<rel>{_REL})|她|他)是(?:一[名个位])?(?P<v>[^，,。！!？?\s]{{1,8}}?(?:师|员|家|医生|工|长|护士|教授|会计|司机))(?={_END}|$)"), "{x}是{v}。"),
        ("home", re.compile(rf"(?:(?P<rel>{_REL})|她|他)住在(?P<v>[^，,。！!？?\s]+)"), "{x}住在{v}。"),
    ),
}  # fmt: skip
