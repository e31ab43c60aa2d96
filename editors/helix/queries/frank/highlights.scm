; Names

(data_declaration name: (name) @type)
(constructor name: (name) @constructor)
(interface_declaration name: (name) @type)
(alias_declaration name: (name) @type)
(command name: (name) @function.method)
(include_directive name: (module_name) @namespace)
(signature name: (name) @function)
(operator_clause name: (name) @function)
(let name: (name) @variable)

; Types

(type_name) @type
(type_parameter) @type
(builtin_type) @type.builtin
(interface_name) @type
(effect_name) @variable.parameter
(effect_parameter (name) @variable.parameter)
(adaptor rest: (name) @variable.parameter)
(adaptor left: (name) @variable.parameter)
(adaptor right: (name) @variable.parameter)

; Patterns

(variable_pattern) @variable.parameter
(command_pattern command: (name) @function.method)
(command_pattern continuation: (name) @variable.parameter)
(catch_all_pattern name: (name) @variable.parameter)
(constructor_pattern constructor: (name) @constructor)

; Terms

(variable) @variable

(natural) @constant.numeric.integer
(float) @constant.numeric.float
(character) @constant.character
(string) @string

["data" "interface" "let" "in"] @keyword
"include" @keyword.control.import

(binary_operation operator: _ @operator)
(negation "-" @operator)
(sequence ";" @operator)
(cons_pattern "::" @operator)
"->" @operator
"!" @operator

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["|" ","] @punctuation.delimiter

[(line_comment) (block_comment)] @comment
