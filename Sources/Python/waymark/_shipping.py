"""Files that a Spark job brings along."""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import tempfile
from dataclasses import replace
from typing import Any, BinaryIO, Optional

from ._errors import WaymarkError
from ._rules import Source


def shipped(session: Any, source: Source) -> Source:
    """Ships the files of a source with the jobs of a session; the result has their names there.

    The source is checked here, so an error comes at once and not from an executor.
    """
    copies = replace(source, path=_copy(source.path), compiled=_copy(source.compiled))
    try:
        # The copy of a config is alone, so nothing that it includes by a relative path is found.
        copies.rules()
    except WaymarkError as error:
        raise WaymarkError(_renamed(str(error), source, copies)) from None
    return replace(
        source, path=_shipped(session, copies.path), compiled=_shipped(session, copies.compiled))


def _renamed(text: str, source: Source, copies: Source) -> str:
    for name, copy in ((source.path, copies.path), (source.compiled, copies.compiled)):
        if name is not None and copy is not None:
            text = text.replace(copy, name)
    if source.path is not None and "include" in text:
        text += "; a config is shipped alone: give its files as fences=, or compile them with it"
    return text


@functools.lru_cache(maxsize=None)
def _folder() -> str:
    """The folder of the files that this process ships: executors fetch them whenever they start."""
    folder = tempfile.mkdtemp(prefix="waymark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _copy(path: Optional[str]) -> Optional[str]:
    """A copy in a folder of its own, whose name says what is in it: no other file has that name."""
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            name = f"waymark-{_digest(file)}"
        folder = os.path.join(_folder(), name)
        copy = os.path.join(folder, name + os.path.splitext(path)[1])
        if not os.path.exists(copy):
            os.makedirs(folder, exist_ok=True)
            os.replace(shutil.copyfile(path, f"{copy}.part"), copy)
        return copy
    except OSError as error:
        raise WaymarkError(f"{path}: the file cannot be shipped: {error.strerror}") from None


def _digest(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()[:32]


def _shipped(session: Any, copy: Optional[str]) -> Optional[str]:
    if copy is None:
        return None
    session.sparkContext.addFile(copy)
    return os.path.basename(copy)
