"""What can go wrong."""


class WaymarkError(ValueError):
    """A table, a config, a track or a state that cannot be used; the text says where and why."""

    # The name by which users know it.
    __module__ = "waymark"


class WaymarkWarning(UserWarning):
    """Something was left out, such as fixes that were not used; the text says what."""

    __module__ = "waymark"
