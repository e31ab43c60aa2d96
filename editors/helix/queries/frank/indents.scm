[(thunk) (list) (parenthesized_term) (operator_clause) (data_declaration) (interface_declaration)] @indent
["}" "]" ")"] @outdent
