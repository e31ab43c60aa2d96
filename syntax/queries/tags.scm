(
  (line_comment)* @doc
  .
  (signature name: (name) @name) @definition.function
  (#strip! @doc "^--\\s*")
  (#select-adjacent! @doc @definition.function)
)

(
  (line_comment)* @doc
  .
  (data_declaration name: (name) @name) @definition.type
  (#strip! @doc "^--\\s*")
  (#select-adjacent! @doc @definition.type)
)

(
  (line_comment)* @doc
  .
  (interface_declaration name: (name) @name) @definition.interface
  (#strip! @doc "^--\\s*")
  (#select-adjacent! @doc @definition.interface)
)

(alias_declaration name: (name) @name) @definition.interface
(constructor name: (name) @name) @definition.constructor
(command name: (name) @name) @definition.method

(include_directive name: (module_name) @name) @reference.module
(application head: (variable) @name) @reference.call
(force head: (variable) @name) @reference.call
(command_pattern command: (name) @name) @reference.call
(constructor_pattern constructor: (name) @name) @reference.constructor
(type_name) @name @reference.type
(interface_name) @name @reference.interface
