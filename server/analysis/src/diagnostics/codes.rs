//! Every kind of finding, declared once.

use super::Severity;

/// The directory of the book that has a page for each kind of finding.
pub const PAGES: &str = "docs/diagnostics";

/// What there is to say about a kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declaration {
    /// `FK` and four digits; never given to anything else.
    pub code: &'static str,
    pub severity: Severity,
    pub marks: Marks,
    /// A few words, as a heading.
    pub title: &'static str,
    /// The heading of the kinds that it is listed with.
    pub family: &'static str,
    /// Markdown: why the rule is there and what to do, with a wrong program, fenced as
    /// `frank,wrong`, and a right one.
    pub explanation: &'static str,
}

/// What else is so of every finding of a kind. Each kind lists its marks, be it none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// The finding stands though its item does not parse. Other findings in such an item may only
    /// follow from that, and are left out.
    pub unparsed: bool,
    /// What the finding is about could be left out: editors show it faded.
    pub unnecessary: bool,
    /// Text that is still to be written may settle it: an interactive session does not report it.
    pub unfinished: bool,
    /// It may only say that its line is unfinished: while that is typed, editors do not show it.
    pub typing: bool,
    /// Only an evaluation finds it, so `frank check` never does.
    pub evaluated: bool,
}

impl Marks {
    const NONE: Marks = Marks {
        unparsed: false,
        unnecessary: false,
        unfinished: false,
        typing: false,
        evaluated: false,
    };
}

macro_rules! codes {
    ($($family:literal {
        $($name:ident = $code:literal $severity:ident [$($mark:ident)*] $title:literal;)*
    })*) => {
        /// A kind of finding. The book has a page for each, under [`PAGES`], made from its
        /// [`Declaration`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $title] $name,)*)*
        }

        impl Code {
            /// All kinds, family by family.
            pub const ALL: &'static [Code] = &[$($(Code::$name),*),*];

            /// All that there is to say about the kind.
            pub fn declaration(self) -> Declaration {
                match self {
                    $($(Code::$name => Declaration {
                        code: $code,
                        severity: Severity::$severity,
                        marks: Marks { $($mark: true,)* ..Marks::NONE },
                        title: $title,
                        family: $family,
                        explanation: include_str!(concat!("explanations/", $code, ".md")),
                    },)*)*
                }
            }
        }
    };
}

// A family of kinds; each has its code, its usual severity, its marks and its title.
codes! {
    "The text" {
        UnexpectedToken = "FK0001" Error [unparsed typing] "Something else was expected";
        UnclosedBracket = "FK0002" Error [unparsed typing] "A bracket is never closed";
        UnopenedBracket = "FK0003" Error [unparsed] "A bracket closes nothing";
        UnclosedLiteral = "FK0004" Error [unparsed typing] "A string or character does not end";
        UnclosedComment = "FK0005" Error [unparsed typing] "A comment is never closed";
        BadEscape = "FK0006" Error [unparsed typing] "An escape means no character";
        BadCharacter = "FK0007" Error [unparsed] "A character that no token begins with";
        NumberTooLarge = "FK0008" Error [unparsed] "A number does not fit in 64 bits";
        NestedTooDeeply = "FK0009" Error [unparsed] "An item is nested too deeply, or too long";
        LeftOfItemColumn = "FK0010" Error [unparsed] "An item begins left of the item column";
        NotAHead = "FK0011" Error [unparsed typing] "Only a name or a use in parentheses can be applied";
        OtherLanguage = "FK0012" Error [unparsed typing] "Something is written as in another language";
    }
    "Names" {
        UnknownName = "FK0101" Error [typing] "A name has no definition";
        UnknownType = "FK0102" Error [typing] "A type has no definition";
        UnknownInterface = "FK0103" Error [typing] "An interface has no definition";
        UnknownEffect = "FK0104" Error [typing] "An effect variable has no definition";
        UnknownInclude = "FK0105" Error [typing] "An included file does not exist";
        DuplicateDefinition = "FK0106" Error [unparsed] "Two definitions have one name";
        DuplicateParameter = "FK0107" Error [] "A parameter is named twice";
        DuplicateVariable = "FK0108" Error [] "A variable is bound twice";
        Hole = "FK0109" Error [typing] "A hole: a term is missing";
        MissingSignature = "FK0110" Error [typing] "An operator has no signature";
        NotAConstructor = "FK0111" Error [typing] "A pattern names something that is no constructor";
        NotACommand = "FK0112" Error [typing] "A command pattern names no command";
        CyclicAlias = "FK0113" Error [] "An alias is defined through itself";
        AliasInAdaptor = "FK0114" Error [] "An adaptor names an alias";
        AliasTooLarge = "FK0115" Error [] "An alias stands for too many instances";
    }
    "Types" {
        TypeMismatch = "FK0201" Error [typing] "A term has another type than its place needs";
        MissingLift = "FK0202" Error [] "A value of an outer derivative stands in an inner one";
        InfiniteType = "FK0203" Error [] "A type would contain itself";
        WrongArgumentCount = "FK0204" Error [typing] "A wrong number of arguments";
        NotAFunction = "FK0205" Error [typing] "A value that is no computation is applied";
        ConstructorArguments = "FK0206" Error [typing] "A constructor stands without its arguments";
        WrongPatternCount = "FK0207" Error [typing] "A wrong number of patterns";
        WrongTypeArguments = "FK0208" Error [typing] "A wrong number of type arguments";
        WrongKind = "FK0209" Error [] "An ability where a type belongs, or a type where an ability belongs";
        NotANumber = "FK0210" Error [typing] "Arithmetic on something that is no number";
        EscapingVariable = "FK0211" Error [] "A command's own type leaves its clause";
        NotAComputation = "FK0212" Error [typing] "A suspended computation where a value is needed";
        ForgottenForce = "FK0213" Error [typing] "A computation stands where its result is needed";
    }
    "Abilities and adaptors" {
        MissingAbility = "FK0301" Error [] "A command's interface is not in the ability";
        AbilityMismatch = "FK0302" Error [] "A call needs a different ability";
        MissingAdaptor = "FK0303" Error [] "A use fits only under an adaptor";
        InvalidAdaptor = "FK0304" Error [] "An adaptor names instances that are not there";
        MalformedAdaptor = "FK0305" Error [] "An adaptor's right side is not a selection of its left";
        CommandNotHandled = "FK0306" Error [] "A command pattern for an interface that the port does not add";
    }
    "What is missing, and what is not needed" {
        MissingPatterns = "FK0401" Warning [typing] "Some values match no clause";
        UnreachableClause = "FK0402" Warning [unnecessary typing] "A clause can never match";
        SignatureWithoutClauses = "FK0403" Warning [unfinished typing] "An operator has no clauses";
        ShadowedDefinition = "FK0404" Warning [] "A variable has the name of a constructor or a command";
        UnusedVariable = "FK0405" Warning [unnecessary typing] "A variable is never used";
        UnusedOperator = "FK0406" Warning [unnecessary unfinished typing] "An operator is never used";
        IdleAdaptor = "FK0407" Warning [unnecessary] "An adaptor changes nothing";
        IdleHandler = "FK0408" Warning [unnecessary] "A handler for commands that are never performed";
        RepeatedAdaptorName = "FK0409" Warning [] "An adaptor names an instance twice";
        LikelyMisspeltType = "FK0410" Hint [typing] "A type variable looks like a misspelt type";
        UnusedSuppression = "FK0411" Warning [unnecessary] "A comment allows a finding that is not there";
        UnrunComputation = "FK0412" Warning [typing] "A computation is thrown away before it runs";
        ThrownValue = "FK0418" Warning [unnecessary typing] "A value is thrown away before `;`";
        UnhandledEntry = "FK0421" Warning [] "An entry needs what nobody gives it";
        MisspeltConstructor = "FK0422" Warning [typing] "A variable that looks like a constructor";
        EarlyCall = "FK0423" Warning [typing] "A call runs before it is needed";
    }
    "Text that misleads" {
        HiddenCharacter = "FK0419" Warning [unparsed] "A character that nobody sees";
        ConfusableName = "FK0420" Warning [unparsed] "Two names that look alike";
    }
    "Derivatives that come out wrong" {
        PaperCheckpoint = "FK0413" Warning [] "A checkpoint under the paper's `gradc`";
        SharedCells = "FK0414" Warning [] "Cells of a gradient that several runs share";
        SharedNumbers = "FK0415" Warning [] "Numbers of one derivative that another one can see";
        ListLengths = "FK0416" Warning [] "Two lists that belong together have different lengths";
        DerivativesDisagree = "FK0417" Error [evaluated] "Derivatives that were evaluated disagree";
    }
}

impl Code {
    /// `FK` and four digits.
    pub fn as_str(self) -> &'static str {
        self.declaration().code
    }

    /// What is so of every finding of the kind.
    pub fn marks(self) -> Marks {
        self.declaration().marks
    }

    /// Where the project's book explains it: a path from the root of the project.
    pub fn page(self) -> String {
        format!("{PAGES}/{}.md", self.as_str())
    }

    /// The address of that page.
    pub fn page_url(self) -> String {
        let project = env!("CARGO_PKG_REPOSITORY");
        format!("{project}/blob/main/{}", self.page())
    }

    /// The kind with this code, in either case.
    pub fn parse(code: &str) -> Option<Code> {
        Code::ALL
            .iter()
            .copied()
            .find(|known| known.as_str().eq_ignore_ascii_case(code))
    }
}
