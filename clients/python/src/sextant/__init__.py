"""Client of Sextant: positions from what a device hears, places by words and by points, measurements.

``Sextant`` waits for its answers, ``AsyncSextant`` awaits them. Both raise ``SextantError`` and its classes.
"""

from .client import AsyncSextant, Sextant
from .errors import KeyRefusedError, NotFoundError, SextantError, TooFastError, UnavailableError

__all__ = [
    "AsyncSextant",
    "KeyRefusedError",
    "NotFoundError",
    "Sextant",
    "SextantError",
    "TooFastError",
    "UnavailableError",
]
