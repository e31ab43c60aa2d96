[
  (data_declaration)
  (interface_declaration)
  (alias_declaration)
  (signature)
  (operator_clause)
  (thunk)
  (list)
  (block_comment)
] @fold
