"""The colours of the page, light and dark; tests hold their contrasts against WCAG 2.2 AA."""

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#fbfbf9",
    "card": "#ffffff",
    "ink": "#1c2126",
    "soft": "#566069",
    "rule": "#d9dcd8",
    "edge": "#838b92",
    "link": "#0b5cad",
    "kept": "#2f74b5",
    "kept-soft": "#dbe9f6",
    "lost": "#c2410c",
    "lost-soft": "#fde5d7",
    "added-soft": "#e6e1f7",
    "unknown": "#8a9299",
    "good": "#1e7a46",
    "warning": "#8a5a00",
    "note": "#3d5a80",
}
DARK: Mapping[str, str] = {
    "paper": "#14181c",
    "card": "#1b2127",
    "ink": "#e6e9eb",
    "soft": "#a3adb6",
    "rule": "#333b43",
    "edge": "#76818b",
    "link": "#7db8f0",
    "kept": "#5b9bd8",
    "kept-soft": "#1d3a55",
    "lost": "#f08a55",
    "lost-soft": "#54290f",
    "added-soft": "#3a2f5f",
    "unknown": "#7d8790",
    "good": "#62c08a",
    "warning": "#e0b04c",
    "note": "#9db9dd",
}

TEXT = ("ink", "soft", "link", "lost", "good", "warning", "note")
"""Colours of words: 4.5 to 1 against the grounds."""
SHAPES = ("kept", "lost", "unknown", "edge")
"""Colours of bars and borders: 3 to 1 against the grounds."""
GROUNDS = ("paper", "card")


def variables(colours: Mapping[str, str]) -> str:
    """Return colours as declarations of CSS variables."""
    return "".join(f"--{name}:{value};" for name, value in colours.items())


def rules() -> str:
    """Return both themes: by the system, unless the switch says otherwise."""
    light, dark = variables(LIGHT), variables(DARK)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=light]{{color-scheme:light;{light}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
        f"@media print{{:root,:root[data-theme]{{color-scheme:light;{light}}}}}\n"
    )
