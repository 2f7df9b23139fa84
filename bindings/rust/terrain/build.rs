// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

//! Writes a struct for each operation of the table that terrain-sys printed (terrain-sys/c/table.c).

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;

const SIGNATURES: [&str; 5] = ["generate", "in_place", "combine", "result", "grid"];
const MAP_IN: u32 = 7;
const MAP_OUT: u32 = 8;
const FLOAT_ARRAY: u32 = 9;

/// What an operation is asked.
const WINDOWS: &str = "\
/// How many cells beyond a cell its result depends on, at most; None: it may be every cell of the map.
pub fn halo(&self) -> Result<Option<u32>> {
self.params().halo()
}
/// Which window of the map at a port is needed for that window of the result, to the last bit: x and y of the first
/// cell, width and height. Port 0 is the first map of `apply`; the maps among the fields are counted after those.
pub fn window(&self, port: u32, result: (i64, i64, u32, u32)) -> Result<(i64, i64, u32, u32)> {
self.params().window(port, result)
}
";

#[derive(Default)]
struct Parameter {
    name: String,
    index: usize,
    kind: u32,
    doc: String,
    unit: String,
    range: Vec<String>,
    values: Vec<(String, String)>,
}

#[derive(Default)]
struct Operation {
    name: String,
    verb: String,
    signature: usize,
    summary: String,
    reference: String,
    parameters: Vec<Parameter>,
}

fn main() {
    let table = env::var("DEP_TERRAIN_TABLE").expect("terrain-sys prints the table");
    println!("cargo:rerun-if-changed={table}");
    println!("cargo:rerun-if-changed=build.rs");
    let operations = read(&std::fs::read_to_string(&table).unwrap());
    let mut verbs: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
    for operation in operations.iter().filter(|each| each.signature < SIGNATURES.len()) {
        verbs.entry(&operation.verb).or_default().push(operation);
    }
    let mut code = String::new();
    for (verb, operations) in verbs {
        code += &format!("/// The operations whose names begin with `{verb}`.\n#[allow(clippy::derivable_impls)]\npub mod {verb} {{\nuse super::*;\n");
        for operation in operations {
            code += &operation.code();
        }
        code += "}\n";
    }
    std::fs::write(PathBuf::from(env::var("OUT_DIR").unwrap()).join("operations.rs"), code).unwrap();
}

fn read(text: &str) -> Vec<Operation> {
    let mut operations: Vec<Operation> = Vec::new();
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let fields: Vec<&str> = rest.split(' ').collect();
        if word == "operation" {
            operations.push(Operation {
                name: fields[0].into(),
                verb: fields[1].into(),
                signature: fields[2].parse().unwrap(),
                ..Default::default()
            });
            continue;
        }
        let operation = operations.last_mut().unwrap();
        if word == "parameter" {
            operation.parameters.push(Parameter {
                name: fields[0].into(),
                index: operation.parameters.len(),
                kind: fields[1].parse().unwrap(),
                ..Default::default()
            });
            continue;
        }
        match (word, operation.parameters.last_mut()) {
            ("summary", _) => operation.summary = rest.into(),
            ("reference", _) => operation.reference = rest.into(),
            ("doc", Some(parameter)) => parameter.doc = rest.into(),
            ("unit", Some(parameter)) => parameter.unit = rest.into(),
            ("range", Some(parameter)) => parameter.range = fields.iter().map(|&each| each.into()).collect(),
            ("value", Some(parameter)) => {
                let (name, doc) = rest.split_once(' ').unwrap_or((rest, ""));
                parameter.values.push((name.into(), doc.into()));
            }
            _ => panic!("the table has a line {line:?}"),
        }
    }
    operations
}

/// stream_power: StreamPower
fn camel(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// A name of an enum's value.
fn variant(name: &str) -> String {
    let digit = name.starts_with(|first: char| first.is_ascii_digit());
    (if digit { "N" } else { "" }).to_owned() + &camel(name)
}

/// A field's name: Rust's keywords get their prefix.
fn field(name: &str) -> String {
    let keywords = ["type", "loop", "match", "move", "ref", "where", "yield", "box", "in", "fn", "mod", "use"];
    (if keywords.contains(&name) { "r#" } else { "" }).to_owned() + name
}

fn float(bits: &str) -> f64 {
    f64::from_bits(bits.parse().unwrap())
}

fn float_literal(value: f64) -> String {
    if value == f64::INFINITY {
        "f32::INFINITY".into()
    } else if value == f64::NEG_INFINITY {
        "f32::NEG_INFINITY".into()
    } else {
        format!("{:?}_f32", value as f32)
    }
}

/// Without what rustdoc would take for links or tags.
fn plain(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]").replace('<', "&lt;").replace('>', "&gt;")
}

impl Parameter {
    fn kind(&self, algorithm: &str) -> String {
        let simple = ["f32", "i32", "u32", "i64", "u64", "bool"];
        match self.kind {
            6 => camel(algorithm) + &camel(&self.name),
            MAP_IN => "Option<&'a Map<'a>>".into(),
            MAP_OUT => "Option<&'a mut Map<'m>>".into(),
            FLOAT_ARRAY => "&'a [f32]".into(),
            number => simple[number as usize].into(),
        }
    }

    fn default(&self, algorithm: &str) -> String {
        match self.kind {
            0 => float_literal(float(&self.range[2])),
            5 => (self.range[2] != "0").to_string(),
            6 => {
                let index: usize = self.range[2].parse().unwrap();
                format!("{}::{}", self.kind(algorithm), variant(&self.values[index].0))
            }
            MAP_IN | MAP_OUT => "None".into(),
            FLOAT_ARRAY => "&[]".into(),
            _ => self.range[2].clone(),
        }
    }

    /// A statement that writes the field into the params struct.
    fn write(&self) -> String {
        let (name, index) = (field(&self.name), self.index);
        match self.kind {
            5 | 6 => format!("params.put(params.parameter_at({index}), self.{name} as u32);"),
            MAP_IN => {
                format!("if let Some(map) = self.{name} {{ params.put(params.parameter_at({index}), map.raw()); }}")
            }
            MAP_OUT => {
                format!("if let Some(map) = &self.{name} {{ params.put(params.parameter_at({index}), map.raw()); }}")
            }
            FLOAT_ARRAY => {
                format!("params.put_array(params.parameter_at({index}), self.{name}.as_ptr(), self.{name}.len());")
            }
            _ => format!("params.put(params.parameter_at({index}), self.{name});"),
        }
    }

    fn doc(&self, algorithm: &str) -> String {
        let range = match self.kind {
            0 | FLOAT_ARRAY => format!(" In \\[{:?}, {:?}\\]", float(&self.range[0]), float(&self.range[1])),
            1..=4 => format!(" In \\[{}, {}\\]", self.range[0], self.range[1]),
            MAP_IN | MAP_OUT => return plain(&self.doc),
            _ => return format!("{} Default `{}`.", plain(&self.doc), self.default(algorithm)),
        };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let default = match self.kind {
            0 => format!("; default {:?}", float(&self.range[2]) as f32),
            FLOAT_ARRAY => "; none by default".into(),
            _ => format!("; default {}", self.range[2]),
        };
        format!("{}{range}{unit}{default}.", plain(&self.doc))
    }

    fn enumeration(&self, algorithm: &str) -> String {
        let mut code = format!(
            "/// {}\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n#[repr(u32)]\n#[non_exhaustive]\npub enum {} {{\n",
            plain(&self.doc),
            self.kind(algorithm)
        );
        for (index, (value, doc)) in self.values.iter().enumerate() {
            code += &format!("/// {}\n{} = {index},\n", plain(doc), variant(value));
        }
        let (kind, name) = (self.kind(algorithm), &self.name);
        let list = |of: &dyn Fn(&str) -> String| self.values.iter().map(|(value, _)| of(value)).collect::<String>();
        let all = list(&|value| format!("Self::{}, ", variant(value)));
        let names = list(&|value| format!("Self::{} => {value:?},\n", variant(value)));
        code += "}\n";
        code += &format!(
            "impl {kind} {{\n/// All values, in the table's order.\npub const ALL: &'static [Self] = &[{all}];\n\
             /// What it is called in recipes.\npub fn name(self) -> &'static str {{\nmatch self {{\n{names}}}\n}}\n}}\n\
             impl fmt::Display for {kind} {{\nfn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {{\n\
             formatter.pad(self.name())\n}}\n}}\n\
             impl FromStr for {kind} {{\ntype Err = Error;\nfn from_str(name: &str) -> Result<Self> {{\n\
             value_named(Self::ALL, {name:?}, name)\n}}\n}}\n"
        );
        code
    }
}

impl Operation {
    fn code(&self) -> String {
        let algorithm = &self.name[self.verb.len() + 1..];
        let name = camel(algorithm);
        let has = |kind| self.parameters.iter().any(|each| each.kind == kind);
        let lives = match (has(MAP_IN) || has(FLOAT_ARRAY), has(MAP_OUT)) {
            (_, true) => "<'a, 'm>",
            (true, false) => "<'a>",
            _ => "",
        };
        let all = |line: &dyn Fn(&Parameter) -> String| self.parameters.iter().map(line).collect::<String>();
        let enums: String =
            self.parameters.iter().filter(|each| each.kind == 6).map(|each| each.enumeration(algorithm)).collect();
        let fields =
            all(&|each| format!("/// {}\npub {}: {},\n", each.doc(algorithm), field(&each.name), each.kind(algorithm)));
        let defaults = all(&|each| format!("{}: {},\n", field(&each.name), each.default(algorithm)));
        let writes = all(&|each| each.write() + "\n");
        format!(
            "{enums}/// {summary}\n///\n/// {reference}\n#[derive(Debug{copy})]\npub struct {name}{lives} {{\n{fields}}}\n\
             impl{lives} Default for {name}{lives} {{\nfn default() -> Self {{\nSelf {{\n{defaults}}}\n}}\n}}\n\
             impl{lives} {name}{lives} {{\n/// What it is called in recipes.\npub const NAME: &'static str = {full:?};\n\
             pub(crate) fn params(&self) -> Params<'_> {{\n#[allow(unused_mut)]\nlet mut params = params_of({full:?});\n{writes}params\n}}\n\
             {methods}{windows}}}\n",
            summary = plain(&self.summary),
            reference = plain(&self.reference),
            copy = if has(MAP_OUT) { "" } else { ", Clone, Copy" },
            full = self.name,
            methods = methods(SIGNATURES[self.signature]),
            windows = WINDOWS,
        )
    }
}

/// What an operation is called by, without a context and with one.
fn methods(signature: &str) -> String {
    let (doc, parameters, call) = match signature {
        "generate" => ("Writes every cell of the map.", "map: &mut Map<'_>", "&[map.as_mut_ptr()]"),
        "in_place" => {
            ("Changes the map. After an error it is what it was.", "map: &mut Map<'_>", "&[map.as_mut_ptr()]")
        }
        "combine" => (
            "Combines the other map into this one.",
            "map: &mut Map<'_>, other: &Map<'_>",
            "&[map.as_mut_ptr(), other.raw()]",
        ),
        "result" => (
            "Reads the map and writes the result.",
            "map: &Map<'_>, result: &mut Map<'_>",
            "&[map.raw(), result.as_mut_ptr()]",
        ),
        _ => (
            "Changes maps that are neighbours, row by row from the north.",
            "maps: &mut [&mut Map<'_>], columns: usize",
            "",
        ),
    };
    let call = |context: &str| {
        if call.is_empty() {
            format!("apply_grid({context}, &self.params(), maps, columns)")
        } else {
            format!("apply({context}, &self.params(), {call})")
        }
    };
    let extra = match signature {
        "generate" => {
            "/// A new map, whose first cell is the world's (0, 0).\n\
             pub fn map(self, width: u32, height: u32) -> Result<Map<'static>> {\n\
             let mut map = Map::new(width, height)?;\nself.apply(&mut map)?;\nOk(map)\n}\n"
        }
        "result" => {
            "/// A new map, of the size that the result has.\n\
             pub fn of(self, map: &Map<'_>) -> Result<Map<'static>> {\n\
             let params = self.params();\nlet mut result = result_map(&params, map)?;\n\
             apply(None, &params, &[map.raw(), result.as_mut_ptr()])?;\nOk(result)\n}\n"
        }
        _ => "",
    };
    format!(
        "{extra}/// {doc}\npub fn apply(self, {parameters}) -> Result<()> {{\n{}\n}}\n\
         /// The same, with a context's threads, progress and cancelling.\n\
         pub fn apply_with(self, context: &mut Context<'_>, {parameters}) -> Result<()> {{\n{}\n}}\n",
        call("None"),
        call("Some(context)")
    )
}
