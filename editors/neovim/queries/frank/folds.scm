[(data_declaration) (interface_declaration) (operator_clause) (thunk) (list) (block_comment)] @fold
