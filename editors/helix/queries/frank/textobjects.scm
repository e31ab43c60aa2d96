(operator_clause body: (_) @function.inside) @function.around
(data_declaration) @class.around
(interface_declaration) @class.around
[(line_comment) (block_comment)] @comment.inside
(line_comment)+ @comment.around
(block_comment) @comment.around
(application argument: (_) @parameter.inside)
