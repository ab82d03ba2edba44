"""What people ask and forbid, and how a good summary and a bad one tell of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule as it is said, and as a summary keeps it in other words; `{n}` is a number."""

    language: str
    said: str
    kept: tuple[str, ...]


RULES = (
    Rule(
        language="en",
        said="Never write to the production database.",
        kept=(
            "Constraint: no writes to the production database.",
            "The production database must not be written to.",
        ),
    ),
    Rule(
        language="en",
        said="Keep the response time under {n} ms.",
        kept=("Response time has to stay below {n} ms.", "Limit: {n} ms response time."),
    ),
    Rule(
        language="en",
        said="Do not change the public REST API.",
        kept=("Public REST API stays unchanged.", "No changes to the public REST API."),
    ),
    Rule(
        language="en",
        said="Use at most {n} retries for each upload.",
        kept=("Uploads: {n} retries at most.", "No more than {n} retries an upload."),
    ),
    Rule(
        language="en",
        said="You must not delete anything in the archive folder.",
        kept=(
            "The archive folder: delete nothing there.",
            "Nothing in the archive folder may be deleted.",
        ),
    ),
    Rule(
        language="en",
        said="All new functions must have type annotations.",
        kept=(
            "New functions need type annotations.",
            "Type annotations on every new function (required).",
        ),
    ),
    Rule(
        language="en",
        said="Don't send any mail to customers.",
        kept=("No mail to customers.", "Customers must not get mail."),
    ),
    Rule(
        language="en",
        said="The total budget must not exceed {n} euros.",
        kept=("Budget: {n} euros in total at most.", "Stay within {n} euros of total budget."),
    ),
    Rule(
        language="de",
        said="Ändere auf keinen Fall die Datei config.yaml.",
        kept=(
            "config.yaml darf nicht geändert werden.",
            "Die Datei config.yaml bleibt unverändert.",
        ),
    ),
    Rule(
        language="de",
        said="Höchstens {n} Zeichen pro Zeile.",
        kept=("Zeilen mit höchstens {n} Zeichen.", "Zeilenlänge: {n} Zeichen maximal."),
    ),
    Rule(
        language="fr",
        said="Ne supprime jamais les fichiers originaux.",
        kept=(
            "Les fichiers originaux ne doivent jamais être supprimés.",
            "Ne pas supprimer les fichiers originaux.",
        ),
    ),
    Rule(
        language="es",
        said="No borres nunca los archivos originales.",
        kept=(
            "Los archivos originales no se deben borrar nunca.",
            "No borrar los archivos originales.",
        ),
    ),
    Rule(
        language="zh",
        said="不要修改后端接口。",
        kept=("后端接口不要修改。", "约束:后端接口不得修改。"),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be done, as it is asked, as a summary keeps it, and as it is reported done."""

    language: str
    asked: str
    kept: tuple[str, ...]
    done: str
    again: tuple[str, ...]


WISHES = (
    Wish(
        language="en",
        asked="Please migrate the billing service from MySQL to Postgres.",
        kept=(
            "Goal: migrate the billing service from MySQL to Postgres.",
            "The user wants the billing service moved from MySQL to Postgres.",
        ),
        done="Migrated the billing service from MySQL to Postgres.",
        again=("Migrate the billing service from MySQL to Postgres",),
    ),
    Wish(
        language="en",
        asked="Rename the invoices table to billing_invoices.",
        kept=(
            "Rename the invoices table to billing_invoices.",
            "The invoices table is to be called billing_invoices.",
        ),
        done="Renamed the invoices table to billing_invoices.",
        again=("Rename the invoices table to billing_invoices",),
    ),
    Wish(
        language="en",
        asked="Add a CSV export to the parcel report.",
        kept=("Add a CSV export to the parcel report.", "Parcel report: CSV export requested."),
        done="Added a CSV export to the parcel report.",
        again=("Add the CSV export to the parcel report",),
    ),
    Wish(
        language="en",
        asked="Write unit tests for the tariff parser.",
        kept=(
            "Write unit tests for the tariff parser.",
            "Tariff parser: unit tests to be written.",
        ),
        done="Wrote unit tests for the tariff parser.",
        again=("Write unit tests for the tariff parser",),
    ),
    Wish(
        language="en",
        asked="Fix the memory leak in the sensor gateway.",
        kept=("Fix the memory leak in the sensor gateway.", "Sensor gateway: fix its memory leak."),
        done="Fixed the memory leak in the sensor gateway.",
        again=("Fix the memory leak in the sensor gateway",),
    ),
    Wish(
        language="en",
        asked="Translate the help pages into Italian.",
        kept=("Translate the help pages into Italian.", "Help pages: translation into Italian."),
        done="Translated the help pages into Italian.",
        again=("Translate the help pages into Italian",),
    ),
    Wish(
        language="en",
        asked="Create a dashboard for the valve pressure alarms.",
        kept=(
            "Create a dashboard for the valve pressure alarms.",
            "A dashboard of the valve pressure alarms was asked for.",
        ),
        done="Created the dashboard for the valve pressure alarms.",
        again=("Create the dashboard for the valve pressure alarms",),
    ),
    Wish(
        language="en",
        asked="Remove the deprecated currency endpoint.",
        kept=(
            "Remove the deprecated currency endpoint.",
            "Deprecated currency endpoint: remove it.",
        ),
        done="Removed the deprecated currency endpoint.",
        again=("Remove the deprecated currency endpoint",),
    ),
    Wish(
        language="de",
        asked="Übersetze bitte die Fehlermeldungen im Kassenmodul.",
        kept=(
            "Die Fehlermeldungen im Kassenmodul übersetzen.",
            "Auftrag: Fehlermeldungen des Kassenmoduls übersetzen.",
        ),
        done="Die Fehlermeldungen im Kassenmodul sind übersetzt.",
        again=(),
    ),
    Wish(
        language="fr",
        asked="Corrige le calcul de la TVA dans le module factures.",
        kept=(
            "Corriger le calcul de la TVA dans le module factures.",
            "Demande : calcul de la TVA du module factures à corriger.",
        ),
        done="Le calcul de la TVA est corrigé.",
        again=(),
    ),
    Wish(
        language="es",
        asked="Añade un filtro por ciudad al informe de pedidos.",
        kept=(
            "Añadir un filtro por ciudad al informe de pedidos.",
            "Informe de pedidos: filtro por ciudad.",
        ),
        done="El filtro por ciudad está listo.",
        again=(),
    ),
    Wish(
        language="zh",
        asked="请给注册页面加上深色主题。",
        kept=("给注册页面加上深色主题。", "任务:注册页面加上深色主题。"),
        done="注册页面的深色主题已完成。",
        again=(),
    ),
    Wish(
        language="de",
        asked="Ergänze einen Export der Lieferanten als Tabelle.",
        kept=(
            "Export der Lieferanten als Tabelle ergänzen.",
            "Gewünscht: Lieferanten als Tabelle exportieren.",
        ),
        done="Der Export der Lieferanten als Tabelle ist fertig.",
        again=(),
    ),
    Wish(
        language="de",
        asked="Benenne das Feld Menge in Stückzahl um.",
        kept=("Feld Menge in Stückzahl umbenennen.", "Das Feld Menge soll Stückzahl heißen."),
        done="Das Feld Menge heißt jetzt Stückzahl, erledigt.",
        again=(),
    ),
    Wish(
        language="fr",
        asked="Ajoute un export des fournisseurs au format tableur.",
        kept=(
            "Ajouter un export des fournisseurs au format tableur.",
            "Export tableur des fournisseurs à ajouter.",
        ),
        done="L'export des fournisseurs est terminé.",
        again=(),
    ),
    Wish(
        language="fr",
        asked="Renomme la colonne quantité en nombre.",
        kept=(
            "Renommer la colonne quantité en nombre.",
            "La colonne quantité doit s'appeler nombre.",
        ),
        done="La colonne quantité est renommée.",
        again=(),
    ),
    Wish(
        language="es",
        asked="Traduce los mensajes de error del módulo de caja.",
        kept=(
            "Traducir los mensajes de error del módulo de caja.",
            "Mensajes de error del módulo de caja: traducción.",
        ),
        done="Los mensajes de error están traducidos.",
        again=(),
    ),
    Wish(
        language="es",
        asked="Crea una copia de seguridad de la carpeta fotos.",
        kept=(
            "Crear una copia de seguridad de la carpeta fotos.",
            "Copia de seguridad de la carpeta fotos.",
        ),
        done="La copia de seguridad está hecha.",
        again=(),
    ),
    Wish(
        language="zh",
        asked="请把供应商列表导出为表格。",
        kept=("把供应商列表导出为表格。", "供应商列表需要导出为表格。"),
        done="供应商列表的导出已完成。",
        again=(),
    ),
    Wish(
        language="zh",
        asked="请修复传感器网关的内存泄漏。",
        kept=("修复传感器网关的内存泄漏。", "传感器网关:修复内存泄漏。"),
        done="传感器网关的内存泄漏已经修复。",
        again=(),
    ),
)
