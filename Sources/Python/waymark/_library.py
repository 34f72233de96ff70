"""The C library behind the package, by ctypes: waymark.h says what its functions do."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any, Optional, Sequence

from ._errors import WaymarkError

_pointer = ctypes.POINTER
_text = ctypes.c_void_p
_handle = ctypes.c_void_p


class _Config(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("path", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
        ("fences", ctypes.c_char_p),
    ]


class _Fixes(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("count", ctypes.c_size_t),
        ("devices", ctypes.c_void_p),
        ("times", ctypes.c_void_p),
        ("latitudes", ctypes.c_void_p),
        ("longitudes", ctypes.c_void_p),
        ("accuracies", ctypes.c_void_p),
        ("speeds", ctypes.c_void_p),
        ("courses", ctypes.c_void_p),
    ]


# Functions that can fail: the types of their arguments. They return NULL or an error.
_FALLIBLE = {
    "waymark_rules_new": [_pointer(_Config), _pointer(_handle)],
    "waymark_rules_fences": [_handle, ctypes.c_void_p, ctypes.c_void_p],
    "waymark_columns_match": [
        _pointer(ctypes.c_char_p), ctypes.c_size_t, ctypes.c_char_p, _pointer(_text),
    ],
    "waymark_engine_new": [_handle, _pointer(_handle)],
    "waymark_engine_device": [
        _handle, ctypes.c_char_p, ctypes.c_size_t, _pointer(ctypes.c_int32),
    ],
    "waymark_engine_feed": [_handle, _pointer(_Fixes)],
    "waymark_engine_advance": [_handle, ctypes.c_int32, ctypes.c_int64],
    "waymark_engine_events": [_handle, ctypes.c_void_p, ctypes.c_void_p],
    "waymark_engine_log": [_handle, _pointer(_text), _pointer(ctypes.c_size_t)],
    "waymark_engine_counts": [_handle, _pointer(_text)],
    "waymark_engine_save": [
        _handle, ctypes.c_int32, _pointer(ctypes.c_void_p), _pointer(ctypes.c_size_t),
    ],
    "waymark_engine_resume": [_handle, ctypes.c_int32, ctypes.c_char_p, ctypes.c_size_t],
    "waymark_track_open": [ctypes.c_char_p, _pointer(_handle)],
    "waymark_track_read": [
        _handle, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, _pointer(_text),
    ],
}


def _load() -> ctypes.CDLL:
    # CDLL releases the lock of the interpreter during every call.
    library = ctypes.CDLL(str(Path(__file__).with_name("libwaymark.so")))
    for name, arguments in _FALLIBLE.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = _text
    for name in ("waymark_rules_free", "waymark_engine_free", "waymark_track_free"):
        getattr(library, name).argtypes = [_handle]
        getattr(library, name).restype = None
    library.waymark_free.argtypes = [ctypes.c_void_p]
    library.waymark_free.restype = None
    library.waymark_version.restype = ctypes.c_char_p
    return library


_library = _load()


def _take(address: Optional[int]) -> bytes:
    """The bytes of a text of the library, which is freed."""
    if not address:
        return b""
    try:
        return ctypes.string_at(address)
    finally:
        _library.waymark_free(address)


def _call(name: str, *arguments: Any) -> None:
    error = getattr(_library, name)(*arguments)
    if error:
        raise WaymarkError(_take(error).decode())


def version() -> str:
    return _library.waymark_version().decode()


def encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise WaymarkError(f"{text!r} is no text of UTF-8") from None


def match_columns(names: Sequence[str], choice: Optional[str]) -> dict:
    texts = (ctypes.c_char_p * len(names))(*[encoded(name) for name in names])
    columns = _text()
    _call(
        "waymark_columns_match", texts, len(names),
        None if choice is None else encoded(choice), ctypes.byref(columns))
    return json.loads(_take(columns.value))


class _Owner:
    """Something that the library made, and frees when nobody needs it any more."""

    _free = ""

    def __init__(self) -> None:
        self.handle = _handle()

    def __del__(self) -> None:
        handle = getattr(self, "handle", None)
        if handle:
            getattr(_library, self._free)(handle)


class Rules(_Owner):
    _free = "waymark_rules_free"

    def __init__(
        self, path: Optional[str] = None, text: Optional[str] = None,
        fences: Optional[str] = None,
    ) -> None:
        super().__init__()
        config = _Config(
            ctypes.sizeof(_Config), *[None if part is None else encoded(part)
                                      for part in (path, text, fences)])
        _call("waymark_rules_new", ctypes.byref(config), ctypes.byref(self.handle))

    def fences(self) -> Any:
        return _arrow("waymark_rules_fences", self.handle)


class EngineHandle(_Owner):
    _free = "waymark_engine_free"

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        _call("waymark_engine_new", rules.handle, ctypes.byref(self.handle))

    def device(self, name: str) -> int:
        number, text = ctypes.c_int32(), encoded(name)
        _call("waymark_engine_device", self.handle, text, len(text), ctypes.byref(number))
        return number.value

    def feed(self, columns: Any) -> None:
        """Plays fixes; the arrays have the types that the library reads."""
        def address(array: Any) -> Optional[int]:
            return None if array is None else array.ctypes.data

        fixes = _Fixes(
            ctypes.sizeof(_Fixes), len(columns.times), address(columns.devices),
            address(columns.times), address(columns.latitudes), address(columns.longitudes),
            address(columns.accuracies), address(columns.speeds), address(columns.courses))
        _call("waymark_engine_feed", self.handle, ctypes.byref(fixes))

    def advance(self, device: int, now: int) -> None:
        _call("waymark_engine_advance", self.handle, device, now)

    def events(self) -> Any:
        return _arrow("waymark_engine_events", self.handle)

    def log(self) -> bytes:
        lines, length = _text(), ctypes.c_size_t()
        _call("waymark_engine_log", self.handle, ctypes.byref(lines), ctypes.byref(length))
        return _take(lines.value)

    def counts(self) -> dict:
        counts = _text()
        _call("waymark_engine_counts", self.handle, ctypes.byref(counts))
        return json.loads(_take(counts.value))

    def save(self, device: int) -> bytes:
        state, length = ctypes.c_void_p(), ctypes.c_size_t()
        _call("waymark_engine_save", self.handle, device, ctypes.byref(state),
              ctypes.byref(length))
        try:
            return ctypes.string_at(state, length.value)
        finally:
            _library.waymark_free(state)

    def resume(self, device: int, state: bytes) -> None:
        _call("waymark_engine_resume", self.handle, device, state, len(state))


class TrackHandle(_Owner):
    _free = "waymark_track_free"

    def __init__(self, path: str) -> None:
        super().__init__()
        _call("waymark_track_open", encoded(path), ctypes.byref(self.handle))
        #: What is wrong in the part that was read.
        self.problems: "list[str]" = []

    def read(self, least: int) -> Any:
        problems = _text()
        batch = _arrow("waymark_track_read", self.handle, least, after=[ctypes.byref(problems)])
        self.problems += _take(problems.value).decode().splitlines()
        return batch


def _arrow(name: str, *arguments: Any, after: Sequence[Any] = ()) -> Any:
    """The record batch that a function of the library gives through the Arrow C data interface."""
    import pyarrow

    # Room for the structs of the interface, of 9 and 10 members of 8 bytes.
    schema, array = (ctypes.c_uint64 * 9)(), (ctypes.c_uint64 * 10)()
    _call(name, *arguments, ctypes.byref(schema), ctypes.byref(array), *after)
    return pyarrow.RecordBatch._import_from_c(
        ctypes.addressof(array), ctypes.addressof(schema))
