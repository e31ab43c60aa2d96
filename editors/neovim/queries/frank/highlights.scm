; Where two patterns match one node, the later one counts.

; Comments

[
  (line_comment)
  (block_comment)
] @comment

; Keywords

[
  "data"
  "interface"
] @keyword.type

"include" @keyword.import

[
  "let"
  "in"
] @keyword

; Punctuation

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

(adjustments ["<" ">"] @punctuation.bracket)
(adapted ["<" ">"] @punctuation.bracket)
(command_pattern ["<" ">"] @punctuation.bracket)
(catch_all_pattern ["<" ">"] @punctuation.bracket)

[
  ","
  "."
  ";"
  "|"
  ":"
] @punctuation.delimiter

[
  "="
  "->"
] @operator

(binary_operation operator: _ @operator)
(negation "-" @operator)
(cons_pattern "::" @operator)
(force "!" @operator)
(operator_clause "!" @operator)
(clause "!" @operator)

; Literals

[
  (natural)
  (negative_natural)
] @number

(float) @number.float
(character) @character
(string) @string

; Definitions

(signature name: (name) @function)
(operator_clause name: (name) @function)
(data_declaration name: (name) @type.definition)
(interface_declaration name: (name) @type.definition)
(alias_declaration name: (name) @type.definition)
(constructor name: (name) @constructor)
(command name: (name) @function.method)
(include_directive name: (module_name) @module)

; Types

(type_name) @type
(builtin_type) @type.builtin
(type_parameter) @variable.parameter
(effect_parameter (name) @variable.parameter)

; Interfaces and effect variables

(interface_name) @type
(effect_name) @variable.parameter
(ability tail: (natural) @constant.builtin)
(adaptor rest: (name) @variable.parameter)
(adaptor left: (name) @variable.parameter)
(adaptor right: (name) @variable.parameter)

; Patterns

(variable_pattern) @variable.parameter
(constructor_pattern constructor: (name) @constructor)
(command_pattern command: (name) @function.method)
(command_pattern continuation: (name) @variable.parameter)
(catch_all_pattern name: (name) @variable.parameter)

; Terms

(let name: (name) @variable)
(variable) @variable
(application head: (variable) @function.call)
(force head: (variable) @function.call)
(adapted body: (variable) @function.call)

((variable) @function.builtin
  (#eq? @function.builtin "case"))
