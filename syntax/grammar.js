/**
 * The grammar of Frank.
 *
 * It is deterministic: what one token of lookahead cannot decide (does a clause in braces have
 * patterns? is `(` the shape of an adaptor? does this line begin a new item?) the scanner decides
 * by looking further, so the parser never forks. It is also a little wider than the language; what
 * it lets through, such as `{…} y`, the lowering rejects with a better sentence than a parser has.
 *
 * A text that begins with the character U+0001 is one item on its own, with U+0002 one term on its
 * own; in both, layout does not matter. Every other text is a file.
 */

const PREC = { cons: 1, compare: 2, add: 3, multiply: 4, negate: 5 };

const separated = (rule, separator) => optional(seq(rule, repeat(seq(separator, rule))));

module.exports = grammar({
  name: 'frank',

  // The order is that of `enum Token` in scanner.c.
  externals: $ => [
    $._item_marker,
    $._term_marker,
    $._item_start,
    $._item_end,
    $._continuation,
    $._clause_start,
    $._body_start,
    $._shape_open,
    $.line_comment,
    $.block_comment,
    $.name,
    $.module_name,
    $.builtin_type,
    'data',
    'interface',
    'include',
    'let',
    'in',
    $.natural,
    $.float,
    $.character,
    $.string,
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    $._error_sentinel,
  ],

  extras: $ => [
    /[ \t\n\v\f\r]/,
    $.line_comment,
    $.block_comment,
    $._continuation,
  ],

  rules: {
    source_file: $ => choice(
      repeat(seq($._item_start, $._item, $._item_end)),
      seq($._item_marker, optional(seq($._item_start, $._item, $._item_end))),
      seq($._term_marker, optional(seq($._item_start, $._term, $._item_end))),
    ),

    // The scanner reads ASCII names itself and leaves the others to this rule.
    name: _ => /[\p{Alphabetic}_][\p{Alphabetic}\p{N}_']*/,

    // Items

    _item: $ => choice(
      $.data_declaration,
      $.interface_declaration,
      $.alias_declaration,
      $.include_directive,
      $.signature,
      $.operator_clause,
    ),

    data_declaration: $ => seq(
      'data',
      field('name', $.name),
      optional($._parameters),
      '=',
      separated($.constructor, '|'),
    ),

    constructor: $ => seq(field('name', $.name), repeat(field('argument', $._type_atom))),

    interface_declaration: $ => seq(
      'interface',
      field('name', $.name),
      optional($._parameters),
      '=',
      $.command,
      repeat(seq('|', $.command)),
    ),

    command: $ => seq(
      field('name', $.name),
      optional($._parameters),
      ':',
      $._command_type,
      repeat(seq('->', $._command_type)),
    ),

    _command_type: $ => seq(optional(field('ability', $.ability)), field('type', $._plain_type)),

    alias_declaration: $ => seq(
      'interface',
      field('name', $.name),
      optional($._parameters),
      '=',
      '[',
      separated($.instance, ','),
      ']',
    ),

    include_directive: $ => seq('include', field('name', $.module_name)),

    _parameters: $ => repeat1(choice(alias($.name, $.type_parameter), $.effect_parameter)),

    effect_parameter: $ => seq('[', optional($.name), ']'),

    signature: $ => seq(field('name', $.name), ':', $._ports_and_peg),

    operator_clause: $ => seq(
      field('name', $.name),
      choice('!', repeat1(field('pattern', $._pattern))),
      '=',
      field('body', $._term),
    ),

    // Types

    _ports_and_peg: $ => seq(repeat(seq($.port, '->')), $.peg),

    // A port and a peg look alike until `->` or the end decides; the lowering checks the parts.
    port: $ => seq(
      optional(field('adjustments', $.adjustments)),
      optional(field('ability', $.ability)),
      field('type', $._plain_type),
    ),

    peg: $ => seq(
      optional(field('adjustments', $.adjustments)),
      optional(field('ability', $.ability)),
      field('type', $._plain_type),
    ),

    _plain_type: $ => choice($.type_application, $._plain_type_atom),

    _type_atom: $ => choice(
      $._plain_type_atom,
      alias($._computation_with_ability, $.computation_type),
    ),

    _plain_type_atom: $ => choice(
      alias($.name, $.type_name),
      $.builtin_type,
      $.parenthesized_type,
      alias($._computation, $.computation_type),
    ),

    type_application: $ => seq(
      field('constructor', alias($.name, $.type_name)),
      repeat1(field('argument', $._type_argument)),
    ),

    _type_argument: $ => choice(
      $._plain_type_atom,
      $.ability,
      alias($._computation_with_ability, $.computation_type),
    ),

    // As in a port, an ability is checked by the lowering: only braces can have one.
    parenthesized_type: $ => seq(
      '(',
      optional(field('ability', $.ability)),
      field('type', $._plain_type),
      ')',
    ),

    _computation: $ => seq('{', $._ports_and_peg, '}'),

    _computation_with_ability: $ => prec(1, seq(
      field('ability', $.ability),
      '{',
      $._ports_and_peg,
      '}',
    )),

    adjustments: $ => seq(
      '<',
      separated($._adjustment, ','),
      optional(seq('|', separated($._adjustment, ','))),
      '>',
    ),

    _adjustment: $ => choice($.instance, alias($._shaped_adaptor, $.adaptor)),

    ability: $ => seq(
      '[',
      choice(
        separated($.instance, ','),
        seq(
          field('tail', choice($.natural, alias($.name, $.effect_name))),
          '|',
          separated($.instance, ','),
        ),
        field('tail', $.natural),
      ),
      ']',
    ),

    instance: $ => seq(
      field('interface', alias($.name, $.interface_name)),
      repeat(field('argument', $._type_argument)),
    ),

    _shaped_adaptor: $ => seq(
      field('interface', alias($.name, $.interface_name)),
      alias($._shape_open, '('),
      $._shape,
    ),

    adaptor: $ => seq(
      field('interface', alias($.name, $.interface_name)),
      optional(seq(choice('(', alias($._shape_open, '(')), $._shape)),
    ),

    _shape: $ => seq(
      field('rest', $.name),
      repeat(field('left', $.name)),
      '->',
      repeat(field('right', $.name)),
      ')',
    ),

    // Terms

    _term: $ => choice($.let, $.sequence, $._operation),

    let: $ => seq(
      'let',
      field('name', $.name),
      '=',
      field('value', $._term),
      'in',
      field('body', $._term),
    ),

    sequence: $ => seq(field('first', $._operation), ';', field('second', $._term)),

    _operation: $ => choice($.binary_operation, $.negation, $.adapted, $._use),

    binary_operation: $ => choice(
      prec.right(PREC.cons, seq(
        field('left', $._operation),
        field('operator', '::'),
        field('right', $._operation),
      )),
      ...[
        [PREC.compare, ['<', '>', '<=', '>=', '==', '!=']],
        [PREC.add, ['+', '-']],
        [PREC.multiply, ['*', '/']],
      ].map(([precedence, operators]) => prec.left(precedence, seq(
        field('left', $._operation),
        field('operator', choice(...operators)),
        field('right', $._operation),
      ))),
    ),

    negation: $ => prec(PREC.negate, seq('-', field('operand', $._operation))),

    adapted: $ => seq('<', separated($.adaptor, ','), '>', field('body', $._use)),

    _use: $ => choice($.application, $._primary),

    application: $ => seq(
      field('head', $._primary),
      repeat1(field('argument', $._primary)),
    ),

    _primary: $ => choice($.force, $._atom),

    force: $ => seq(field('head', $._atom), '!'),

    _atom: $ => choice(
      alias($.name, $.variable),
      $.natural,
      $.float,
      $.character,
      $.string,
      $.list,
      $.parenthesized_term,
      $.thunk,
    ),

    list: $ => seq('[', separated($._term, ','), ']'),

    parenthesized_term: $ => seq('(', $._term, ')'),

    thunk: $ => seq('{', separated($.clause, '|'), '}'),

    clause: $ => choice(
      seq(
        $._clause_start,
        choice('!', repeat1(field('pattern', $._pattern))),
        '->',
        field('body', $._term),
      ),
      seq($._body_start, field('body', $._term)),
    ),

    // Patterns

    _pattern: $ => choice($.command_pattern, $.catch_all_pattern, $._value_pattern),

    command_pattern: $ => seq(
      '<',
      field('command', $.name),
      optional(seq('.', field('index', $.natural))),
      repeat(field('argument', $._value_pattern)),
      '->',
      field('continuation', $.name),
      '>',
    ),

    catch_all_pattern: $ => seq('<', field('name', $.name), '>'),

    _value_pattern: $ => choice(
      alias($.name, $.variable_pattern),
      $.natural,
      $.negative_natural,
      $.character,
      $.string,
      $.list_pattern,
      $.cons_pattern,
      $.constructor_pattern,
    ),

    negative_natural: $ => seq('-', $.natural),

    list_pattern: $ => seq('[', separated($._value_pattern, ','), ']'),

    cons_pattern: $ => seq(
      '(',
      field('head', $._value_pattern),
      '::',
      field('tail', $._value_pattern),
      ')',
    ),

    constructor_pattern: $ => seq(
      '(',
      field('constructor', $.name),
      repeat(field('argument', $._value_pattern)),
      ')',
    ),
  },
});
