"""The one decorator that compiles: ``@kernel`` above a function.

Numba stamps a cached function with the contents of its own file only. A caller whose callee changed in another
file would be loaded from the cache with the old callee inside it, and return old physics. Here every cache entry
is filed under a digest of all that numba froze into it: the kernel's own code, the code of everything it calls,
the global constants any of them reads, and the field order of the named tuples that go in.
"""

from __future__ import annotations

import builtins
import contextlib
import dis
import enum
import functools
import hashlib
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numba import njit, types
from numba._dynfunc import make_function  # type: ignore[import-not-found]
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.typed_passes import NativeLowering

P = ParamSpec("P")
R = TypeVar("R")

# The options are part of every digest: changing them here compiles everything afresh.
# Without `_nrt`, numba counts references to arrays atomically at every call: nine tenths of the time of a step.
# With `forceinline` left open, a kernel that is met first while an inlined one is compiled is inlined everywhere as
# well, and all it calls: twice the machine code, and four times the time to make it.
_OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "_nrt": False,
    "forceinline": False,
}

# What these packages hold is either numba's own (its version is in the stamp) or known to numba by name.
_KNOWN_TO_NUMBA = frozenset({"numba", "numpy", "scipy", "math", "cmath", "operator", "builtins"})


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` at its first call, keep the machine code on disk, and never return a stale one.

    It may not make arrays: those it needs are handed to it. With ``NUMBA_DISABLE_JIT=1`` the function itself is
    returned.
    """
    return _compiling(function)


def inlined_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that is copied into its callers: for what runs at every step and is called at one place.

    A call hands over some hundred words of array descriptions. With the chain from the time loop to the forces
    inlined, a step of the bouncing ball takes 0.3 us instead of 0.9.
    """
    return _compiling(function, forceinline=True)


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that makes arrays of its own: for what runs seldom."""
    return _compiling(function, _nrt=True)


def _compiling(function: Callable[P, R], **more: bool) -> Callable[P, R]:
    options = {**_OPTIONS, **more}
    compiled: Any = njit(**options, pipeline_class=_Entries)(function)
    if isinstance(compiled, Dispatcher):
        # Without a directory that can be written, every process compiles for itself.
        with contextlib.suppress(RuntimeError):
            compiled._cache = _ContentCache(function)
        _compile_into_callers(compiled, function, options)
    return cast("Callable[P, R]", compiled)


def _compile_into_callers(compiled: Any, function: Callable[..., Any], options: dict[str, Any]) -> None:
    """Let kernels that call this one take it in as intermediate code, without machine code, wrapper or cache files.

    Those are for calls from Python; leaving them out saves a third of the time to compile a model's kernels afresh.
    """
    inner: Any = njit(**options, no_cpython_wrapper=True, pipeline_class=_IntoCallers)(function)

    def call_template(args: Any, kws: Any) -> Any:
        # A constant argument is an argument like any other, not a reason to compile once for each value.
        return inner.get_call_template(tuple(map(types.unliteral, args)), kws)

    compiled.get_call_template, compiled.get_overload, compiled.inner = (
        call_template,
        inner.get_overload,
        inner,
    )


class _CodeForCallers(JITCodeLibrary):  # type: ignore[misc]
    """Intermediate code that others link in: they optimise it in its place, and make machine code of it."""

    def _optimize_final_module(self) -> None:
        """Nothing: it would be done over again in every caller."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LoweringForCallers(NativeLowering):  # type: ignore[misc]
    """The last pass of the compiler, ending before there is machine code."""

    _name = "condyle_lowering_for_callers"

    def run_pass(self, state: Any) -> bool:
        state.library = _CodeForCallers(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        # Numba knows an overload by the function that Python would call; this one stands for it and is never called.
        stand_in = make_function(
            lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", 0, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(stand_in, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=stand_in)
        return True


class _CodeForPython(JITCodeLibrary):  # type: ignore[misc]
    """Machine code of a kernel with all that it calls, which nobody else will call."""

    def _optimize_final_module(self) -> None:
        # Numba leaves what was linked in open to others. Closed, a function that is called at one place is inlined
        # there, and a call hands over what is used of the arrays' descriptions instead of some hundred words.
        for function in self._final_module.functions:
            if function.linkage.name == "linkonce_odr" and not function.is_declaration:
                function.linkage = "internal"
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class _LoweringForPython(NativeLowering):  # type: ignore[misc]
    """The last pass of the compiler, with that machine code."""

    _name = "condyle_lowering_for_python"

    def run_pass(self, state: Any) -> bool:
        state.library = _CodeForPython(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        return True


class _IntoCallers(CompilerBase):  # type: ignore[misc]
    """Numba's compiler with another last pass."""

    _lowering: type[NativeLowering] = _LoweringForCallers

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self._lowering if step is NativeLowering else step, text) for step, text in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


class _Entries(_IntoCallers):
    """The same for a kernel that Python calls."""

    _lowering = _LoweringForPython


def plain(function: Callable[P, R]) -> Callable[P, R]:
    """The Python function behind a kernel, for comparing the two; any other function is returned as it is."""
    behind: Any = function
    return cast("Callable[P, R]", behind.py_func) if isinstance(behind, Dispatcher) else function


class _ContentCache(FunctionCache):  # type: ignore[misc]
    """Numba's file cache, with files of its own for each digest and signature.

    Both are in the file names and not in the stamp alone. Numba writes the index before the code it points at, so a
    process that was killed, or one that reads, between the two would pair a fresh stamp with old code; and two
    processes that compile two signatures at a time would give both the same file.
    The digest is computed when a signature is asked for, by when every global that the kernel names exists.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        self._cache_file = self._file_of(sig)
        return super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        self._cache_file = self._file_of(sig)  # compiling may have asked for another signature since
        super().save_overload(sig, data)

    def _file_of(self, sig: Any) -> Any:
        digest = source_digest(self._py_func) + _layout_digest(sig)
        name = hashlib.sha256(f"{digest} {sig}".encode()).hexdigest()[:16]
        return IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}.{name}",
            source_stamp=(self._impl.locator.get_source_stamp(), digest),
        )


def source_digest(function: Callable[..., Any]) -> str:
    """SHA-256 over the code of `function`, of all it calls, directly or not, and over the constants they read."""
    reached = [plain(function)]
    digest = hashlib.sha256(repr(_OPTIONS).encode())
    # The list grows while it is walked; a function is named by its place in it, so that recursion ends
    # and two closures of one factory are told apart.
    for member in reached:
        digest.update(_function_text(member, reached).encode())
    return digest.hexdigest()


def _function_text(function: Any, reached: list[Any]) -> str:
    """A function's code and the values of the names in it; functions it names are appended to `reached`."""
    lines = [_code_text(function.__code__)]
    frozen = dict(_frozen_names(function))
    frozen["defaults"] = (function.__defaults__, tuple((function.__kwdefaults__ or {}).items()))
    for name, value in frozen.items():
        try:
            lines.append(f"{name} = {_value_text(value, reached)}")
        except TypeError as error:
            place = f"{function.__module__}.{function.__qualname__}"
            raise TypeError(f"kernel {place} reads {name}, {error}") from None
    return "\n".join(lines)


def _frozen_names(function: Any) -> Iterator[tuple[str, Any]]:
    """Names in a function that stand for something outside it, with their values."""
    loaded, attributes = _names(function.__code__)
    modules: list[tuple[str, ModuleType]] = []
    scope = function.__globals__
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found = [(name, scope[name]) for name in loaded if name in scope]
    found += [(f"closure {name}", cell.cell_contents) for name, cell in cells]
    for name, value in found:
        if isinstance(value, ModuleType):
            modules.append((name, value))
        yield name, value
    # Which attribute belongs to which module is not worked out: taking every pair that exists can
    # only compile too often.
    for path, module in modules:
        if _package(module.__name__) in _KNOWN_TO_NUMBA:
            continue
        for attribute in attributes:
            if attribute in vars(module):
                value = vars(module)[attribute]
                if isinstance(value, ModuleType) and all(value is not known for _, known in modules):
                    modules.append((f"{path}.{attribute}", value))
                yield f"{path}.{attribute}", value


@functools.cache
def _names(code: CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Global names and attribute names in `code` and in the functions and comprehensions inside it."""
    loaded: dict[str, None] = {}
    attributes: dict[str, None] = {}
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            loaded[instruction.argval] = None
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            attributes[instruction.argval] = None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner_loaded, inner_attributes = _names(constant)
            loaded.update(dict.fromkeys(inner_loaded))
            attributes.update(dict.fromkeys(inner_attributes))
    return tuple(loaded), tuple(attributes)


@functools.cache
def _code_text(code: CodeType) -> str:
    """All of a code object that numba compiles, without the file and the lines it came from.

    Taken from what is loaded, not from the file, which may have been edited since it was imported.
    """
    constants = [_code_text(c) if isinstance(c, CodeType) else _value_text(c, []) for c in code.co_consts]
    arguments = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return repr((names, arguments, code.co_code, constants))


def _value_text(value: Any, reached: list[Any]) -> str:
    """A text that differs whenever numba would freeze something else."""
    function = value.py_func if isinstance(value, Dispatcher) else value
    function = function.__wrapped__ if isinstance(function, CFunc) else function
    if isinstance(function, FunctionType) and _package(function.__module__) not in _KNOWN_TO_NUMBA:
        return f"function {_place(function, reached)}"
    if isinstance(value, type):
        return _class_text(value, reached)
    if isinstance(value, enum.Enum):
        return f"{_label(type(value))}.{value.name} {_value_text(value.value, reached)}"
    if isinstance(value, tuple | frozenset):
        items = [_value_text(item, reached) for item in value]
        kind = _class_text(type(value), reached)
        return f"{kind}{sorted(items) if isinstance(value, frozenset) else items}"
    if isinstance(value, np.ndarray):
        content = hashlib.sha256(value.tobytes()).hexdigest()
        return f"array {value.dtype.descr} {value.shape} {value.strides} {value.flags.writeable} {content}"
    return _leaf_text(value)


def _leaf_text(value: Any) -> str:
    """The same for a value that holds no other."""
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    if value is None or value is Ellipsis or isinstance(value, bool | int | float | complex | str | bytes):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, FunctionType | BuiltinFunctionType):
        return _label(value)
    if _package(type(value).__module__) in ("numba", "numpy"):  # scalars, data types, universal functions
        return f"{_label(type(value))} {value!r}"
    raise TypeError(
        f"a {type(value).__name__}; a kernel may read numbers, texts, tuples, arrays and functions"
    )


def _class_text(value: type, reached: list[Any]) -> str:
    """A class by its name, a named tuple also by its fields, an enumeration by its members."""
    if issubclass(value, enum.Enum):
        members = [f"{name}={_value_text(m.value, reached)}" for name, m in value.__members__.items()]
        return f"{_label(value)}{members}"
    if issubclass(value, tuple) and value is not tuple:
        defaults = vars(value).get("_field_defaults", {})
        return f"{_label(value)}{vars(value).get('_fields')}{_value_text(tuple(defaults.items()), reached)}"
    return _label(value)


def _place(function: Any, reached: list[Any]) -> int:
    """Where `function` stands in `reached`, to which it is added when it is new."""
    for place, member in enumerate(reached):
        if member is function:
            return place
    reached.append(function)
    return len(reached) - 1


def _layout_digest(signature: Any) -> str:
    """Field names of the named tuples among the arguments: numba's own key knows their class and types only."""
    pending: list[Any] = list(signature if isinstance(signature, tuple) else signature.args)
    fields = []
    for argument in pending:
        if isinstance(argument, types.BaseTuple):
            pending.extend(argument)
        if isinstance(argument, types.BaseNamedTuple):
            fields.append((str(argument), argument.fields))
    return repr(fields)


def _label(value: Any) -> str:
    module = getattr(value, "__module__", None) or builtins.__name__
    return f"{module}.{getattr(value, '__qualname__', value.__name__)}"


def _package(module: str | None) -> str:
    return (module or "").partition(".")[0]
