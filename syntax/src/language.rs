//! The generated parser, and the kinds of its nodes as Rust values.

use std::sync::OnceLock;

use tree_sitter::Language;
use tree_sitter_language::LanguageFn;

// The generated parser is C. `tree_sitter_frank` takes nothing and gives a pointer to a constant, which
// the functions of table.c read; they keep nothing.
#[allow(unsafe_code)]
mod binding {
    unsafe extern "C" {
        pub(super) fn tree_sitter_frank() -> *const ();
        pub(super) fn frank_syntax_expand(into: *mut u16, states: usize, symbols: usize);
        pub(super) fn frank_syntax_action(place: u16) -> u64;
        pub(super) safe fn frank_syntax_token_count() -> u16;
        pub(super) safe fn frank_syntax_alias(production: u16, index: u32) -> u16;
        pub(super) safe fn frank_syntax_external_symbol(index: u32) -> u16;
    }
}

/// The grammar, as tree-sitter's own tools take it.
// The pointer is that of a language that the tree-sitter generator made, as `from_raw` demands.
#[allow(unsafe_code)]
const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(binding::tree_sitter_frank) };

/// The tree-sitter grammar of Frank. A text is a whole file for it; see `grammar.js` for items and
/// terms on their own.
pub fn language() -> Language {
    LANGUAGE.into()
}

/// What the parser does with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// The token cannot come here.
    None,
    Shift(u16),
    Reduce {
        symbol: u16,
        count: usize,
        production: u16,
    },
    Accept,
}

/// What the parser does in every state: the generated table, made to be looked at quickly.
struct Table {
    /// For each state and symbol the place of the actions; behind a symbol that is no token, the next state.
    cells: Vec<u16>,
    symbols: usize,
    tokens: u16,
    /// What to do, by place.
    actions: Vec<Action>,
}

impl Table {
    fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(Table::new)
    }

    #[allow(unsafe_code)]
    fn new() -> Table {
        let language = language();
        let (states, symbols) = (language.parse_state_count(), language.node_kind_count());
        let mut cells = vec![0; states * symbols];
        // SAFETY: there is room for so many rows of so many cells.
        unsafe { binding::frank_syntax_expand(cells.as_mut_ptr(), states, symbols) };
        let tokens = binding::frank_syntax_token_count();
        let rows = cells.chunks(symbols);
        let of_tokens = rows.flat_map(|row| row.iter().take(usize::from(tokens)));
        let last = of_tokens.copied().max().unwrap_or_default();
        let mut actions = vec![Action::None; usize::from(last) + 1];
        for &place in cells
            .chunks(symbols)
            .flat_map(|row| row.iter().take(usize::from(tokens)))
        {
            if let Some(action) = actions.get_mut(usize::from(place)) {
                // SAFETY: the place is one of the table's.
                *action = Action::decoded(unsafe { binding::frank_syntax_action(place) });
            }
        }
        Table {
            cells,
            symbols,
            tokens,
            actions,
        }
    }
}

impl Action {
    /// An action as table.c gives it.
    fn decoded(action: u64) -> Action {
        let target = (action >> 16) as u16;
        match action & 0xff {
            1 => Action::Shift(target),
            2 => Action::Reduce {
                symbol: target,
                count: (action >> 8 & 0xff) as usize,
                production: (action >> 32) as u16,
            },
            3 => Action::Accept,
            _ => Action::None,
        }
    }
}

/// What the parser does in a state when `symbol` comes next. Behind a symbol that is no token, it
/// shifts.
pub(crate) fn action(state: u16, symbol: u16) -> Action {
    let table = Table::get();
    let row = usize::from(state) * table.symbols;
    let row = table.cells.get(row..row + table.symbols);
    let place = row.and_then(|row| row.get(usize::from(symbol)).copied());
    let place = place.unwrap_or_default();
    if symbol < table.tokens {
        let action = table.actions.get(usize::from(place));
        action.copied().unwrap_or(Action::None)
    } else if place == 0 {
        Action::None
    } else {
        Action::Shift(place)
    }
}

/// What a child of a production is called there, other than by its own name.
pub(crate) fn alias(production: u16, index: usize) -> Option<u16> {
    let alias = binding::frank_syntax_alias(production, u32::try_from(index).unwrap_or(u32::MAX));
    (alias != 0).then_some(alias)
}

/// The symbol of the scanner's token at `index`, in the order of `externals` in the grammar.
pub(crate) fn external_symbol(index: u32) -> u16 {
    binding::frank_syntax_external_symbol(index)
}

macro_rules! kinds {
    ($($variant:ident = $name:literal $named:literal,)*) => {
        /// The kind of a node: what the lowering distinguishes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Kind {
            $($variant,)*
            /// Everything else: punctuation that says nothing, and kinds that are always a choice.
            Other,
        }

        impl Kind {
            fn of(name: &str, named: bool) -> Kind {
                match (name, named) {
                    $(($name, $named) => Kind::$variant,)*
                    _ => Kind::Other,
                }
            }
        }
    };
}

kinds! {
    DataDeclaration = "data_declaration" true,
    InterfaceDeclaration = "interface_declaration" true,
    AliasDeclaration = "alias_declaration" true,
    IncludeDirective = "include_directive" true,
    Signature = "signature" true,
    OperatorClause = "operator_clause" true,
    Name = "name" true,
    ModuleName = "module_name" true,
    TypeParameter = "type_parameter" true,
    EffectParameter = "effect_parameter" true,
    Constructor = "constructor" true,
    Command = "command" true,
    Instance = "instance" true,
    Port = "port" true,
    Peg = "peg" true,
    Adjustments = "adjustments" true,
    Ability = "ability" true,
    Adaptor = "adaptor" true,
    InterfaceName = "interface_name" true,
    EffectName = "effect_name" true,
    TypeName = "type_name" true,
    BuiltinType = "builtin_type" true,
    ParenthesizedType = "parenthesized_type" true,
    ComputationType = "computation_type" true,
    TypeApplication = "type_application" true,
    Let = "let" true,
    Sequence = "sequence" true,
    BinaryOperation = "binary_operation" true,
    Negation = "negation" true,
    Adapted = "adapted" true,
    Application = "application" true,
    Force = "force" true,
    Variable = "variable" true,
    Natural = "natural" true,
    Float = "float" true,
    Character = "character" true,
    String = "string" true,
    List = "list" true,
    ParenthesizedTerm = "parenthesized_term" true,
    Thunk = "thunk" true,
    Clause = "clause" true,
    CommandPattern = "command_pattern" true,
    CatchAllPattern = "catch_all_pattern" true,
    VariablePattern = "variable_pattern" true,
    NegativeNatural = "negative_natural" true,
    ListPattern = "list_pattern" true,
    ConsPattern = "cons_pattern" true,
    ConstructorPattern = "constructor_pattern" true,
    Bar = "|" false,
    Arrow = "->" false,
    Plus = "+" false,
    Minus = "-" false,
    Star = "*" false,
    Slash = "/" false,
    Less = "<" false,
    Greater = ">" false,
    LessEqual = "<=" false,
    GreaterEqual = ">=" false,
    EqualEqual = "==" false,
    NotEqual = "!=" false,
    Cons = "::" false,
    Dot = "." false,
}

impl Kind {
    /// The kind of what the grammar calls `symbol`.
    pub(crate) fn of_symbol(symbol: u16) -> Kind {
        static KINDS: OnceLock<Vec<Kind>> = OnceLock::new();
        let kinds = KINDS.get_or_init(|| {
            let language = language();
            (0..language.node_kind_count())
                .map(|id| {
                    let id = id as u16;
                    let name = language.node_kind_for_id(id).unwrap_or_default();
                    Kind::of(name, language.node_kind_is_named(id))
                })
                .collect()
        });
        kinds
            .get(usize::from(symbol))
            .copied()
            .unwrap_or(Kind::Other)
    }

    /// True for what can be a term. Some literals can be patterns as well.
    pub(crate) fn is_term(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Let | Sequence
                | BinaryOperation
                | Negation
                | Adapted
                | Application
                | Force
                | Variable
                | Natural
                | Float
                | Character
                | String
                | List
                | ParenthesizedTerm
                | Thunk
        )
    }

    /// True for what can be a type.
    pub(crate) fn is_type(self) -> bool {
        use Kind::*;
        matches!(
            self,
            TypeName | BuiltinType | ParenthesizedType | ComputationType | TypeApplication
        )
    }

    /// True for what can be a pattern. Some literals can be terms as well.
    pub(crate) fn is_pattern(self) -> bool {
        use Kind::*;
        matches!(
            self,
            CommandPattern
                | CatchAllPattern
                | VariablePattern
                | Natural
                | NegativeNatural
                | Character
                | String
                | ListPattern
                | ConsPattern
                | ConstructorPattern
        )
    }
}
