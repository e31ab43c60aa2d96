; A clause binds the variables of its patterns in its body, a `let` its name in what follows `in`.

[
  (operator_clause)
  (clause)
  (let)
] @local.scope

(variable_pattern) @local.definition
(command_pattern continuation: (name) @local.definition)
(catch_all_pattern name: (name) @local.definition)
(let name: (name) @local.definition)

(variable) @local.reference
