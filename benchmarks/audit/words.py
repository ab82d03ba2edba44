"""Words in several languages, of which sessions and results are made; all of it is ours."""

from random import Random

LANGUAGES = ("en", "de", "fr", "es", "zh", "ja", "ru")

NOUNS = {
    "en": "invoice order ticket sensor route parcel meter tariff batch supplier valve ledger",
    "de": "Rechnung Auftrag Fühler Strecke Paket Zähler Tarif Charge Lieferant Ventil Kasse",
    "fr": "facture commande capteur trajet colis compteur tarif lot fournisseur vanne caisse",
    "es": "factura pedido sensor ruta paquete contador tarifa lote proveedor válvula caja",
    "zh": "发票 订单 传感器 路线 包裹 电表 价格 批次 供应商 阀门 账本",
    "ja": "請求書 注文 センサー 経路 荷物 メーター 料金 バッチ 仕入先 バルブ 台帳",
    "ru": "счёт заказ датчик маршрут посылка счётчик тариф партия поставщик клапан журнал",
}
ADJECTIVES = {
    "en": "late open broken urgent paid cold empty double northern manual",
    "de": "verspätet offen defekt dringend bezahlt kalt leer doppelt nördlich",
    "fr": "tardif ouvert cassé urgent payé froid vide double",
    "es": "tardío abierto roto urgente pagado frío vacío doble",
    "zh": "延迟 打开 损坏 紧急 已付 寒冷 空 双倍",
    "ja": "遅延 未完了 故障 緊急 支払済 低温 空 二重",
    "ru": "поздний открытый сломанный срочный оплаченный холодный пустой двойной",
}
PLACES = [
    "Lagos",
    "Berlin",
    "Osaka",
    "Lima",
    "Tromsø",
    "Perth",
    "Cork",
    "Pune",
    "Turin",
    "Quito",
    "Ghent",
    "Malmö",
    "Izmir",
]
TASKS = {
    "en": "Look at every {a} {n} in {p} and say what is wrong with it.",
    "de": "Sieh jede {n} in {p} durch, die {a} ist, und sage, was daran falsch ist.",
    "fr": "Regarde chaque {n} {a} à {p} et dis ce qui ne va pas.",
    "es": "Revisa cada {n} {a} en {p} y di qué falla.",
    "zh": "查看{p}每个{a}的{n},说明问题所在。",
    "ja": "{p}の{a}{n}をすべて確認し、問題を報告してください。",
    "ru": "Просмотри каждый {a} {n} в городе {p} и скажи, что не так.",
}
NEXT = {
    "en": "Now do the same for {p}.",
    "de": "Nun das Gleiche für {p}.",
    "fr": "Maintenant la même chose pour {p}.",
    "es": "Ahora lo mismo para {p}.",
    "zh": "现在对{p}做同样的事。",
    "ja": "次は{p}も同じようにお願いします。",
    "ru": "Теперь то же самое для города {p}.",
}
SAYS = {
    "en": "I will look at the {n} next.",
    "de": "Als Nächstes sehe ich mir {n} an.",
    "fr": "Je regarde ensuite {n}.",
    "es": "Ahora miro {n}.",
    "zh": "接下来看{n}。",
    "ja": "次に{n}を見ます。",
    "ru": "Теперь посмотрю: {n}.",
}
ENDS = {
    "en": "Done: the {n} in {p} is as it should be, apart from the {a} one.",
    "de": "Fertig: {n} in {p} ist in Ordnung, bis auf den Teil, der {a} ist.",
    "fr": "Terminé: {n} à {p} est correct, sauf ce qui est {a}.",
    "es": "Listo: {n} en {p} está bien, salvo lo {a}.",
    "zh": "完成:{p}的{n}正常,除了{a}的。",
    "ja": "完了しました。{p}の{n}は{a}のもの以外、正常です。",
    "ru": "Готово: {n} в городе {p} в порядке, кроме того, что {a}.",
}


def noun(draw: Random, language: str = "en") -> str:
    """Return a thing."""
    return draw.choice(NOUNS[language].split())


def adjective(draw: Random, language: str = "en") -> str:
    """Return what a thing is like."""
    return draw.choice(ADJECTIVES[language].split())


def fill(draw: Random, phrases: dict[str, str], language: str) -> str:
    """Fill a phrase of a language with its words."""
    return phrases[language].format(
        n=noun(draw, language), a=adjective(draw, language), p=draw.choice(PLACES)
    )


def sentence(draw: Random, language: str = "en") -> str:
    """Return some words that sound like a line of a report."""
    joint = "" if language in ("zh", "ja") else " "
    words = [draw.choice((noun, adjective))(draw, language) for _ in range(draw.randrange(4, 16))]
    text = joint.join(words)
    return f"{text} {draw.randrange(10_000)}."
