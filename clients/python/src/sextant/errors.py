"""What calls raise. The class says what a program can do about it; ``reason`` is that of the service's error table."""

from typing import Any


class SextantError(Exception):
    """Any failure of a call."""

    def __init__(self, message: str, status: int, reason: str, log_id: int | None = None) -> None:
        super().__init__(message)
        #: HTTP status; 0 if the service did not answer.
        self.status = status
        #: Name of the error, as ``keyInvalid``; ``unreachable`` if the service did not answer.
        self.reason = reason
        #: Number of the request in the service's log.
        self.log_id = log_id


class NotFoundError(SextantError):
    """Nothing is known of these stations, this point or this device."""


class KeyRefusedError(SextantError):
    """The key is wrong, has ended, has no credits left, or may not do this."""


class TooFastError(SextantError):
    """The key has a rate, and asks too fast; raised when further tries were of no use."""


class UnavailableError(SextantError):
    """The service is down, busy or broken; raised when further tries were of no use."""


_KEY_REASONS = {"keyInvalid", "creditsExceeded", "deviceLimitExceeded", "accessNotConfigured"}


def error_of(status: int, body: Any) -> SextantError:
    """The error of an answer; ``body`` may be whatever a proxy before the service sends."""
    parts: dict[str, Any] = body if isinstance(body, dict) else {}
    error = parts.get("error")
    if isinstance(error, str):
        return NotFoundError(error, 404, "notFound")
    error = error if isinstance(error, dict) else {}
    message = error.get("message") or f"The service answered {status}."
    reasons = error.get("errors") or [{}]
    reason = reasons[0].get("reason") or f"status{status}"
    kind: type[SextantError] = SextantError
    if reason == "notFound":
        kind = NotFoundError
    elif status == 403 or reason in _KEY_REASONS:
        kind = KeyRefusedError
    elif status == 429:
        kind = TooFastError
    elif status >= 500:
        kind = UnavailableError
    return kind(message, status, reason, parts.get("logId"))
