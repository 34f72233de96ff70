"""The wheel: Python that calls one file, so it serves every version of Python on its platform."""

import os

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.dist import Distribution


class Binary(Distribution):
    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", os.environ["WAYMARK_PLATFORM"]


setup(version=os.environ["WAYMARK_VERSION"], cmdclass={"bdist_wheel": Wheel}, distclass=Binary)
