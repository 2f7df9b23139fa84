/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The module: cffi makes it, and here it gets functions that cffi can't make, since they take
 * Python's objects. A whole call of an operation is one step out of Python, without an object for
 * each array's memory and each pointer on the way. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "binding.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Maps of one call that need no memory of their own: every operation but a grid has fewer. */
enum { CALL_FEW = 16 };

/* Scratch memory of calls on more cells than that, 16 MiB of them, is not kept. */
enum { CALL_LARGE = 1 << 22 };

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* What NumPy's arrays have as __array_struct__, by the array interface protocol. */
struct array_interface {
    int two; /* 2 */
    int dimensions;
    char kind;
    int item_size;
    int flags;
    Py_ssize_t *shape;
    Py_ssize_t *strides; /* bytes */
    void *data;
};

/* Flags. */
enum { ARRAY_ALIGNED = 0x100, ARRAY_NOT_SWAPPED = 0x200, ARRAY_WRITEABLE = 0x400 };

static PyObject *array_struct; /* "__array_struct__" */

/* Whether it is a map of float32 that is made of rows as the library knows them. */
static bool array_in_rows(const struct array_interface *array)
{
    const int flags = ARRAY_ALIGNED | ARRAY_NOT_SWAPPED;
    const Py_ssize_t cell = sizeof(float);
    if (array->dimensions != 2 || array->kind != 'f' || array->item_size != cell ||
        (array->flags & flags) != flags) {
        return false;
    }
    const Py_ssize_t height = array->shape[0], width = array->shape[1];
    const Py_ssize_t down = array->strides[0], right = array->strides[1];
    return height > 0 && width > 0 && height <= UINT32_MAX && width <= UINT32_MAX &&
           (width == 1 || right == cell) &&
           (height == 1 || (down >= width * cell && down % cell == 0));
}

/* What is known of an array, for as long as the capsule lives. NULL after an error of Python's. */
static const struct array_interface *array_see(PyObject *array, PyObject **capsule)
{
    *capsule = PyObject_GetAttr(array, array_struct);
    return *capsule != NULL ? PyCapsule_GetPointer(*capsule, NULL) : NULL;
}

/* Wraps an array that is made of rows; ARGUMENT if it isn't. */
static terrain_status array_wrap(PyObject *array, bool read_only, terrain_heightmap **out)
{
    PyObject *capsule;
    const struct array_interface *its = array_see(array, &capsule);
    terrain_status status = TERRAIN_ERROR_ARGUMENT;
    *out = NULL;
    if (its != NULL && array_in_rows(its) && (read_only || (its->flags & ARRAY_WRITEABLE) != 0)) {
        const uint32_t height = (uint32_t)its->shape[0], width = (uint32_t)its->shape[1];
        const size_t stride = height == 1 ? width : (size_t)its->strides[0] / sizeof(float);
        status = read_only
                     ? terrain_heightmap_wrap_const(NULL, its->data, width, height, stride, out)
                     : terrain_heightmap_wrap(NULL, its->data, width, height, stride, out);
    }
    Py_XDECREF(capsule);
    return status;
}

static PyObject *call_wrap(PyObject *module, PyObject *given)
{
    terrain_heightmap *map;
    PyObject *array;
    int read_only;
    if (!PyArg_ParseTuple(given, "Op", &array, &read_only)) {
        return NULL;
    }
    if (array_wrap(array, read_only != 0, &map) != TERRAIN_SUCCESS) {
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return PyLong_FromVoidPtr(map);
}

static PyObject *call_in_rows(PyObject *module, PyObject *array)
{
    PyObject *capsule;
    const struct array_interface *its = array_see(array, &capsule);
    PyObject *result = its != NULL ? PyBool_FromLong(array_in_rows(its)) : NULL;
    Py_XDECREF(capsule);
    return result;
}

static PyObject *call_same_cells(PyObject *module, PyObject *given)
{
    PyObject *one, *other, *capsules[2] = {NULL, NULL}, *result = NULL;
    const struct array_interface *a, *b;
    if (!PyArg_ParseTuple(given, "OO", &one, &other)) {
        return NULL;
    }
    a = array_see(one, &capsules[0]);
    b = a != NULL ? array_see(other, &capsules[1]) : NULL;
    if (b != NULL) {
        result = PyBool_FromLong(a->data == b->data && a->strides[0] == b->strides[0] &&
                                 a->strides[1] == b->strides[1]);
    }
    Py_XDECREF(capsules[0]);
    Py_XDECREF(capsules[1]);
    return result;
}

/* ---- Params ---------------------------------------------------------------------------------- */

/* Whether the object is one of an enum's names, or a bool. */
static bool param_is_choice(const terrain_parameter *parameter, PyObject *object,
                            terrain_value *value)
{
    int equal = 0;
    for (value->u = 0; value->u <= parameter->maximum.u && equal == 0; value->u++) {
        if (parameter->type == TERRAIN_TYPE_BOOL) {
            equal = PyObject_RichCompareBool(object, value->u != 0 ? Py_True : Py_False, Py_EQ);
        } else if (PyUnicode_Check(object)) {
            const char *name = parameter->value_names[value->u];
            equal = PyUnicode_CompareWithASCIIString(object, name) == 0;
        }
    }
    value->u--;
    return equal == 1;
}

/* Whether the object is a whole number in the parameter's range. The ends of 32 bits without a sign
 * are the same numbers with one. */
static bool param_is_whole(const terrain_parameter *parameter, PyObject *object,
                           terrain_value *value)
{
    PyObject *number = PyNumber_Index(object);
    bool fits = false;
    if (number != NULL && parameter->type == TERRAIN_TYPE_UINT64) {
        value->u = PyLong_AsUnsignedLongLong(number);
        fits = value->u >= parameter->minimum.u && value->u <= parameter->maximum.u;
    } else if (number != NULL) {
        value->i = PyLong_AsLongLong(number);
        fits = value->i >= parameter->minimum.i && value->i <= parameter->maximum.i;
    }
    Py_XDECREF(number);
    return fits && PyErr_Occurred() == NULL;
}

/* Whether the object is a number, and in the range of float; the library checks the parameter's. */
static bool param_is_real(PyObject *object, terrain_value *value)
{
    value->f = PyFloat_AsDouble(object);
    return PyErr_Occurred() == NULL && (isinf(value->f) || !isinf((float)value->f));
}

static bool param_read(const terrain_parameter *parameter, PyObject *object, terrain_value *value)
{
    switch (parameter->type) {
    case TERRAIN_TYPE_FLOAT:
        return param_is_real(object, value);
    case TERRAIN_TYPE_BOOL:
    case TERRAIN_TYPE_ENUM:
        return param_is_choice(parameter, object, value);
    case TERRAIN_TYPE_MAP_IN:
    case TERRAIN_TYPE_MAP_OUT:
    case TERRAIN_TYPE_FLOAT_ARRAY:
        return false;
    default:
        return param_is_whole(parameter, object, value);
    }
}

static void param_write(const terrain_parameter *parameter, char *params,
                        const terrain_value *value)
{
    char *field = params + parameter->offset;
    if (parameter->type == TERRAIN_TYPE_FLOAT) {
        const float real = (float)value->f;
        memcpy(field, &real, sizeof real);
    } else if (parameter->type == TERRAIN_TYPE_INT64 || parameter->type == TERRAIN_TYPE_UINT64) {
        memcpy(field, value, sizeof *value);
    } else {
        const uint32_t bits = (uint32_t)value->u;
        memcpy(field, &bits, sizeof bits);
    }
}

/* Writes the object where the parameter lies; false if it takes no such object, or is NULL. */
static bool param_set(const terrain_parameter *parameter, PyObject *object, char *params)
{
    terrain_value value;
    if (parameter == NULL || !param_read(parameter, object, &value)) {
        PyErr_Clear();
        return false;
    }
    param_write(parameter, params, &value);
    return true;
}

static const terrain_parameter *param_find(const terrain_operation *operation, PyObject *indices,
                                           PyObject *name)
{
    PyObject *index = PyDict_GetItemWithError(indices, name);
    return index == NULL
               ? NULL
               : terrain_operation_parameter(operation, (uint32_t)PyLong_AsUnsignedLong(index));
}

static PyObject *call_set_params(PyObject *module, PyObject *given)
{
    unsigned long long operation;
    PyObject *params, *indices, *values, *name, *object, *rest = NULL;
    Py_ssize_t next = 0;
    if (!PyArg_ParseTuple(given, "KYOO", &operation, &params, &indices, &values)) {
        return NULL;
    }
    while (PyDict_Next(values, &next, &name, &object)) {
        const terrain_parameter *parameter =
            param_find((const terrain_operation *)(uintptr_t)operation, indices, name);
        if (param_set(parameter, object, PyByteArray_AsString(params))) {
            continue;
        }
        rest = rest != NULL ? rest : PyDict_New();
        if (rest == NULL || PyDict_SetItem(rest, name, object) != 0) {
            Py_XDECREF(rest);
            return NULL;
        }
    }
    return rest != NULL ? rest : Py_BuildValue("");
}

/* ---- Calls ----------------------------------------------------------------------------------- */

struct call {
    binding_session *session;
    const terrain_operation *operation;
    char *params; /* NULL: the defaults */
    uint32_t columns;
    float cell_size;
    long long x, y;
    uint32_t count, arguments; /* of all maps, and of those that are no parameters' */
    terrain_heightmap **maps;
};

/* Makes the next map, and gives it to its parameter if it has one. */
static terrain_status call_add_map(struct call *call, PyObject *entry)
{
    terrain_heightmap **map = &call->maps[call->count];
    long long x = call->x, y = call->y;
    unsigned index = call->columns == 0 ? call->count : 0;
    PyObject *array = entry;
    const terrain_port *port;
    terrain_status status;
    if (PyTuple_Check(entry) && !PyArg_ParseTuple(entry, "OI|LL", &array, &index, &x, &y)) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    port = terrain_operation_port_at(call->operation, index);
    status = array_wrap(array, port->role == TERRAIN_PORT_ROLE_READ, map);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    call->count++;
    if (port->offset == 0) {
        call->arguments++;
    } else {
        memcpy(call->params + port->offset, map, sizeof *map);
    }
    status = terrain_heightmap_set_cell_size(*map, call->cell_size);
    return status == TERRAIN_SUCCESS ? terrain_heightmap_set_origin(*map, x, y) : status;
}

/* Other threads of Python go on meanwhile. */
static terrain_status call_run(struct call *call)
{
    terrain_context *context = binding_session_context(call->session);
    terrain_status status;
    PyThreadState *thread = PyEval_SaveThread();
    binding_session_begin(call->session);
    if (call->columns == 0) {
        status = terrain_operation_apply(context, call->operation, call->maps, call->arguments,
                                         call->params);
    } else {
        status = terrain_operation_apply_grid(context, call->operation, call->maps, call->columns,
                                              call->arguments / call->columns, call->params);
    }
    if ((uint64_t)terrain_heightmap_width(call->maps[0]) * terrain_heightmap_height(call->maps[0]) >
        CALL_LARGE) {
        terrain_context_trim(context);
    }
    PyEval_RestoreThread(thread);
    return status;
}

static void call_end(struct call *call)
{
    while (call->count > 0) {
        terrain_heightmap_destroy(call->maps[--call->count]);
    }
}

static PyObject *call_apply(PyObject *module, PyObject *given)
{
    terrain_heightmap *few[CALL_FEW];
    struct call call = {.columns = 0};
    unsigned long long session, operation;
    PyObject *params, *entries;
    terrain_status status = TERRAIN_SUCCESS;
    if (!PyArg_ParseTuple(given, "KKOO!If(LL)", &session, &operation, &params, &PyList_Type,
                          &entries, &call.columns, &call.cell_size, &call.x, &call.y)) {
        return NULL;
    }
    const Py_ssize_t count = PyList_Size(entries);
    call.session = (binding_session *)(uintptr_t)session;
    call.operation = (const terrain_operation *)(uintptr_t)operation;
    call.params = params != Py_None ? PyByteArray_AsString(params) : NULL;
    call.maps = count <= CALL_FEW ? few : malloc((size_t)count * sizeof *call.maps);
    if (call.maps == NULL) {
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < count && status == TERRAIN_SUCCESS; i++) {
        status = call_add_map(&call, PyList_GetItem(entries, i));
    }
    PyObject *result = NULL;
    if (status == TERRAIN_SUCCESS) {
        result = PyLong_FromLong(call_run(&call));
    } else if (PyErr_Occurred() == NULL) {
        result = status == TERRAIN_ERROR_ARGUMENT ? Py_BuildValue("") : PyLong_FromLong(-status);
    }
    call_end(&call);
    if (call.maps != few) {
        free(call.maps);
    }
    return result;
}

static PyObject *call_result_window(PyObject *module, PyObject *given)
{
    unsigned long long operation;
    PyObject *params;
    long long x, y;
    terrain_window map, result;
    if (!PyArg_ParseTuple(given, "KO(II)(LL)", &operation, &params, &map.height, &map.width, &x,
                          &y)) {
        return NULL;
    }
    map.x = x;
    map.y = y;
    if (terrain_operation_result_window((const terrain_operation *)(uintptr_t)operation,
                                        params != Py_None ? PyByteArray_AsString(params) : NULL,
                                        &map, &result) != TERRAIN_SUCCESS) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(II)(LL)", result.height, result.width, (long long)result.x,
                         (long long)result.y);
}

/* ---- Plain calls ----------------------------------------------------------------------------- */

/* _calls.py is how a call goes. Most calls have nothing special about them, and of these it is done
 * here, without an object of Python's for each step; whatever else there is about a call, or wrong
 * with it, is left to _calls.py. */

/* Of NumPy and of _arrays.py; and of how many cells on new_map does more than empty. */
static PyObject *ndarray, *empty, *float32, *new_map, *copy_of;
static unsigned long long new_map_least;

static bool plain_add(struct call *call, PyObject *array)
{
    return (PyObject *)Py_TYPE(array) == ndarray && call_add_map(call, array) == TERRAIN_SUCCESS;
}

static PyObject *plain_new_map(uint32_t height, uint32_t width)
{
    PyObject *shape = Py_BuildValue("(II)", height, width);
    PyObject *map = shape == NULL ? NULL
                    : (uint64_t)height * width < new_map_least
                        ? PyObject_CallFunctionObjArgs(empty, shape, float32, NULL)
                        : PyObject_CallFunctionObjArgs(new_map, shape, NULL);
    Py_XDECREF(shape);
    return map;
}

static PyObject *plain_reference(PyObject *array)
{
    Py_INCREF(array);
    return array;
}

/* The array that is changed, itself or a copy. */
static PyObject *plain_changed(PyObject *source, PyObject *out)
{
    if ((PyObject *)Py_TYPE(source) != ndarray || (out != Py_None && out != source)) {
        return NULL;
    }
    return out != Py_None ? plain_reference(out)
                          : PyObject_CallFunctionObjArgs(copy_of, source, NULL);
}

/* Adds the map that is written, after those that are read, and finds its array. */
static bool plain_add_result(struct call *call, PyObject *out, PyObject **result)
{
    const terrain_heightmap *first = call->maps[0];
    const terrain_port *port = terrain_operation_port_at(call->operation, call->count);
    terrain_window window = {0, 0, terrain_heightmap_width(first), terrain_heightmap_height(first)};
    if (port->lattice == TERRAIN_PORT_LATTICE_OWN &&
        terrain_operation_result_window(call->operation, call->params, &window, &window) !=
            TERRAIN_SUCCESS) {
        return false;
    }
    *result = out != Py_None ? plain_reference(out) : plain_new_map(window.height, window.width);
    if (*result == NULL || !plain_add(call, *result)) {
        return false;
    }
    terrain_heightmap *map = call->maps[call->count - 1];
    return terrain_heightmap_width(map) == window.width &&
           terrain_heightmap_height(map) == window.height &&
           terrain_heightmap_set_origin(map, window.x, window.y) == TERRAIN_SUCCESS;
}

/* Adds the maps of all arguments, and finds the result's array. */
static bool plain_add_all(struct call *call, PyObject *sources, PyObject *out, PyObject **result)
{
    const Py_ssize_t count = PyTuple_Size(sources);
    for (uint32_t i = 0; i < count; i++) {
        PyObject *array = PyTuple_GetItem(sources, i);
        if (terrain_operation_port_at(call->operation, i)->role == TERRAIN_PORT_ROLE_CHANGE) {
            array = *result = plain_changed(array, out);
        }
        if (array == NULL || !plain_add(call, array)) {
            return false;
        }
    }
    return *result != NULL || plain_add_result(call, out, result);
}

/* Sets the params; what is told to matter only beside others is left to Python. */
static bool plain_set_params(const struct call *call, PyObject *indices, PyObject *values)
{
    PyObject *name, *object;
    Py_ssize_t next = 0;
    while (PyDict_Next(values, &next, &name, &object)) {
        const terrain_parameter *parameter = param_find(call->operation, indices, name);
        if (parameter == NULL || parameter->when != NULL ||
            !param_set(parameter, object, call->params)) {
            return false;
        }
    }
    return true;
}

static PyObject *call_apply_plainly(PyObject *module, PyObject *given)
{
    terrain_heightmap *few[CALL_FEW];
    struct call call = {.cell_size = 1, .maps = few};
    unsigned long long session, operation;
    PyObject *params, *indices, *sources, *out, *values, *result = NULL;
    if (!PyArg_ParseTuple(given, "KKYOOOO", &session, &operation, &params, &indices, &sources, &out,
                          &values)) {
        return NULL;
    }
    call.session = (binding_session *)(uintptr_t)session;
    call.operation = (const terrain_operation *)(uintptr_t)operation;
    call.params = PyByteArray_AsString(params);
    const bool plain =
        plain_set_params(&call, indices, values) && plain_add_all(&call, sources, out, &result);
    const terrain_status status = plain ? call_run(&call) : TERRAIN_SUCCESS;
    call_end(&call);
    if (plain && status == TERRAIN_SUCCESS) {
        return result;
    }
    Py_XDECREF(result);
    return PyErr_Occurred() ? NULL : plain ? PyLong_FromLong(status) : Py_BuildValue("");
}

static PyObject *call_use(PyObject *module, PyObject *given)
{
    if (!PyArg_ParseTuple(given, "OOOOOK", &ndarray, &empty, &float32, &new_map, &copy_of,
                          &new_map_least)) {
        return NULL;
    }
    Py_INCREF(ndarray);
    Py_INCREF(empty);
    Py_INCREF(float32);
    Py_INCREF(new_map);
    Py_INCREF(copy_of);
    return Py_BuildValue("");
}

/* ---- The module ------------------------------------------------------------------------------ */

static PyMethodDef functions[] = {
    {"apply", call_apply, METH_VARARGS,
     "apply(session, operation, params, maps, columns, cell_size, (x, y))\n\n"
     "Calls an operation and returns its status; a positive number is the negative of an error\n"
     "that came before the call, of which the context has no message: RANGE is a place that there\n"
     "isn't. None: an array is not made of rows, and nothing was done. Session and operation are\n"
     "addresses, params a bytearray or None. Maps are a list: arrays of the arguments, then\n"
     "(array, port) of parameters, whose fields are written; (array, port, x, y) where one "
     "doesn't\n"
     "lie where the call does. columns 0: no grid. The call's first cell is (x, y)."},
    {"apply_plainly", call_apply_plainly, METH_VARARGS,
     "apply_plainly(session, operation, params, indices, sources, out, values)\n\n"
     "A whole call without anything special about it: as many arrays in rows as the operation\n"
     "takes, `out` None, such an array, or the one that is changed, and values for set_params "
     "that\n"
     "matter in any case. Returns the result, or the status of a call that failed; or None where\n"
     "the call is not plain, and then nothing was done."},
    {"use", call_use, METH_VARARGS,
     "use(ndarray, empty, float32, new_map, copy_of, new_map_least)\n\n"
     "What apply_plainly makes results with."},
    {"result_window", call_result_window, METH_VARARGS,
     "result_window(operation, params, (height, width), (x, y))\n\n"
     "((height, width), (x, y)) of a result that has its own, for a map there. None: there is "
     "none,\n"
     "and the call itself is refused with a sentence about it."},
    {"set_params", call_set_params, METH_VARARGS,
     "set_params(operation, params, indices, values)\n\n"
     "Writes the dict's values in the params, a bytearray; `indices` has the numbers of the "
     "table's\n"
     "parameters by their names. Returns a dict of those that it can't write, or None: maps,\n"
     "arrays, what has the wrong type or does not fit, names that there aren't."},
    {"in_rows", call_in_rows, METH_O,
     "in_rows(array)\n\n"
     "Whether a map is made of rows as the library knows them."},
    {"same_cells", call_same_cells, METH_VARARGS,
     "same_cells(one, other)\n\n"
     "Whether two maps of one shape are the same memory."},
    {"wrap", call_wrap, METH_VARARGS,
     "wrap(array, read_only)\n\n"
     "The address of a heightmap, to be destroyed, of a map in rows that must be kept meanwhile."},
    {NULL, NULL, 0, NULL},
};

/* build_native.py names it so. */
PyObject *binding_cffi_module(void);

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = binding_cffi_module();
    array_struct = PyUnicode_InternFromString("__array_struct__");
    if (module == NULL || array_struct == NULL || PyModule_AddFunctions(module, functions) != 0) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
