; The continuation lines of an item stand to the right of its first; so do those of brackets.

[
  (data_declaration)
  (interface_declaration)
  (alias_declaration)
  (signature)
  (operator_clause)
  (thunk)
  (list)
  (list_pattern)
  (parenthesized_term)
  (computation_type)
  (ability)
] @indent.begin

[
  ")"
  "]"
  "}"
] @indent.branch @indent.end

[
  (line_comment)
  (block_comment)
] @indent.ignore
