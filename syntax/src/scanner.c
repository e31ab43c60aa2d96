/**
 * The scanner of Frank: layout, words, literals, brackets, comments, and the decisions that one
 * token of lookahead cannot make.
 *
 * Layout. The column of a file's first token is the item column. A token that is the first on its
 * line begins a new item if it stands there or to the left of it; inside brackets, if it is a name
 * or keyword and stands there exactly. The scanner then ends the item with `ITEM_END`, before all
 * blanks and comments, so that the comments above an item are outside of the one above, and begins
 * the next one with `ITEM_START`. Both are empty.
 *
 * To know what a line begins with one has to look beyond comments. If a look shows that the item
 * goes on, an empty `CONTINUATION` records how many comments follow, so that no comment is looked
 * at more than twice.
 *
 * All lookahead is linear in total: patterns and shapes hold no braces, so a look for them stops
 * where the next one may begin.
 */

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

/* The order is that of `externals` in grammar.js. */
enum Token {
  ITEM_MARKER,
  TERM_MARKER,
  ITEM_START,
  ITEM_END,
  CONTINUATION,
  CLAUSE_START,
  BODY_START,
  SHAPE_OPEN,
  LINE_COMMENT,
  BLOCK_COMMENT,
  NAME,
  MODULE_NAME,
  BUILTIN_TYPE,
  DATA,
  INTERFACE,
  INCLUDE,
  LET,
  IN,
  NATURAL,
  FLOAT,
  CHARACTER,
  STRING,
  LEFT_PARENTHESIS,
  RIGHT_PARENTHESIS,
  LEFT_BRACKET,
  RIGHT_BRACKET,
  LEFT_BRACE,
  RIGHT_BRACE,
  ERROR_SENTINEL,
};

#define NO_COLUMN UINT32_MAX

/* Stands for a name that is not there, in an item or term on its own whose text was repaired. */
#define HOLE 3

typedef struct {
  /** The column of the first token of the file. */
  uint32_t item_column;
  /** How many brackets of the current item are open. */
  uint32_t depth;
  /** How many comments come before the next token, where that is known to continue the item. */
  uint32_t comments_ahead;
  /** True for an item or a term on its own, in which layout does not matter. */
  bool single;
  /** True outside of items. */
  bool between;
  /** True if no `--}` follows, so that a comment need not be read to the end of the text. */
  bool no_closers;
} State;

void *tree_sitter_frank_external_scanner_create(void) {
  State *state = ts_malloc(sizeof(State));
  memset(state, 0, sizeof(State));
  state->item_column = NO_COLUMN;
  state->between = true;
  return state;
}

void tree_sitter_frank_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_frank_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(State));
  return sizeof(State);
}

void tree_sitter_frank_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  State *state = payload;
  memset(state, 0, sizeof(State));
  if (length == sizeof(State)) {
    memcpy(state, buffer, sizeof(State));
  } else {
    state->item_column = NO_COLUMN;
    state->between = true;
  }
}

static inline void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static inline bool is_blank(int32_t c) { return c == ' ' || c == '\n' || (c >= '\t' && c <= '\r'); }

static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static inline bool is_hex_digit(int32_t c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool is_octal_digit(int32_t c) { return c >= '0' && c <= '7'; }

/* Characters beyond ASCII count as letters wherever only the kind of the next token matters. */
static inline bool is_word_start(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80 || c == HOLE;
}

static inline bool is_word_part(int32_t c) {
  return (is_word_start(c) && c != HOLE) || is_digit(c) || c == '\'';
}

/* Comments */

static void scan_line_comment(TSLexer *lexer) {
  while (lexer->lookahead != '\n' && !lexer->eof(lexer)) advance(lexer);
}

/**
 * Reads on behind a `{--`. A comment that nothing closes ends before the next line that has a token
 * in the item column (inside brackets: a name), or with the text.
 *
 * Marks the end if `mark` says so; keeps `column` and `newline` up to date. Returns whether the
 * comment is closed.
 */
static bool scan_block_comment(State *state, TSLexer *lexer, bool mark, uint32_t *column, bool *newline) {
  bool layout = !state->single && state->item_column != NO_COLUMN;
  bool found_end = false;
  bool at_line_start = false;
  bool closers = false;
  unsigned open = 1;
  while (!lexer->eof(lexer)) {
    if (found_end && state->no_closers) return false;
    int32_t c = lexer->lookahead;
    if (c == '\n') {
      advance(lexer);
      *column = 0;
      *newline = true;
      at_line_start = true;
      if (mark && layout && !found_end) lexer->mark_end(lexer);
      continue;
    }
    bool candidate = at_line_start && layout && !is_blank(c) && *column == state->item_column &&
                     (state->depth == 0 || is_word_start(c));
    if (!is_blank(c)) at_line_start = false;
    advance(lexer);
    ++*column;
    if (c == '{' && lexer->lookahead == '-') {
      advance(lexer);
      ++*column;
      if (lexer->lookahead == '-') {
        advance(lexer);
        ++*column;
        ++open;
        candidate = false;
      }
    } else if (c == '-' && lexer->lookahead == '-') {
      candidate = false;
      while (lexer->lookahead == '-') {
        advance(lexer);
        ++*column;
      }
      if (lexer->lookahead == '}') {
        advance(lexer);
        ++*column;
        closers = true;
        if (--open == 0) {
          if (mark) lexer->mark_end(lexer);
          return true;
        }
      }
    }
    if (candidate) found_end = true;
  }
  if (!closers) state->no_closers = true;
  if (mark && !found_end) lexer->mark_end(lexer);
  return false;
}

/**
 * Behind a `-` or `{` that was read: skips the comment that this may begin. Returns whether it was
 * one; if not, a `-` more may have been read after a `{`.
 */
static bool skip_comment(State *state, TSLexer *lexer, int32_t first) {
  if (lexer->lookahead != '-') return false;
  advance(lexer);
  if (first == '-') {
    scan_line_comment(lexer);
    return true;
  }
  if (lexer->lookahead != '-') return false;
  advance(lexer);
  uint32_t column = 0;
  bool newline = false;
  scan_block_comment(state, lexer, false, &column, &newline);
  return true;
}

/* Literals */

/**
 * Reads the literal that begins here, to its closing quotation mark or the end of its line; marks the
 * end if `mark` says so.
 */
static void scan_quoted(TSLexer *lexer, bool mark) {
  int32_t quote = lexer->lookahead;
  advance(lexer);
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    if (c == quote) {
      advance(lexer);
      break;
    }
    if (c == '\n') break;
    advance(lexer);
    if (c != '\\') continue;
    c = lexer->lookahead;
    if (quote == '"' && is_blank(c)) {
      bool newline = false;
      while (is_blank(lexer->lookahead)) {
        if (lexer->lookahead == '\n' && !newline) {
          newline = true;
          if (mark) lexer->mark_end(lexer);
        }
        advance(lexer);
      }
      if (lexer->lookahead == '\\') {
        advance(lexer);
      } else if (newline) {
        /* No gap: the literal ended with its line, where the end is marked. */
        return;
      }
    } else if (c == '^') {
      /* In `\^\` and `\^]` the third character is part of the escape, whatever it is. */
      advance(lexer);
      if (lexer->lookahead >= '@' && lexer->lookahead <= '_') advance(lexer);
    } else if (c != '\n' && !lexer->eof(lexer)) {
      advance(lexer);
    }
  }
  if (mark) lexer->mark_end(lexer);
}

/* Lookahead */

/**
 * Looks whether the clause that begins here has patterns: whether `->` comes before anything that
 * no pattern has. A `->` between `<` and `>` belongs to a command pattern, which says so as well,
 * unless it is in the shape of an adaptor.
 */
static bool look_for_patterns(State *state, TSLexer *lexer) {
  bool bang = lexer->lookahead == '!';
  if (bang) advance(lexer);
  unsigned depth = 0;
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    if (is_blank(c)) {
      advance(lexer);
    } else if (c == '-' || c == '{') {
      advance(lexer);
      if (c == '-' && lexer->lookahead == '>') {
        if (depth == 0) return true;
      } else if (!skip_comment(state, lexer, c) && c == '{') {
        return false;
      }
    } else if (bang) {
      return false;
    } else if (is_word_start(c)) {
      do advance(lexer);
      while (is_word_part(lexer->lookahead));
    } else if (c == '"' || c == '\'') {
      scan_quoted(lexer, false);
    } else if (c == '(' || c == '[') {
      advance(lexer);
      ++depth;
    } else if (c == ')' || c == ']') {
      if (depth == 0) return false;
      advance(lexer);
      --depth;
    } else if (c == ':') {
      advance(lexer);
      if (lexer->lookahead != ':') return false;
      advance(lexer);
    } else if (c == '}' || c == '|' || c == ';' || c == '=' || c == '+' || c == '*' || c == '/' || c == '!') {
      return false;
    } else {
      advance(lexer);
    }
  }
  return false;
}

/** Looks whether names and then `->` follow, as in the shape of an adaptor. */
static bool look_for_shape(State *state, TSLexer *lexer) {
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    if (is_blank(c)) {
      advance(lexer);
    } else if (is_word_start(c)) {
      do advance(lexer);
      while (is_word_part(lexer->lookahead));
    } else if (c == '-' || c == '{') {
      advance(lexer);
      if (c == '-' && lexer->lookahead == '>') return true;
      if (!skip_comment(state, lexer, c)) return false;
    } else {
      return false;
    }
  }
  return false;
}

/* Words */

static void scan_module_name(TSLexer *lexer) {
  for (;;) {
    do advance(lexer);
    while (is_word_part(lexer->lookahead));
    lexer->mark_end(lexer);
    if (lexer->lookahead != '-') return;
    advance(lexer);
    if (!is_word_start(lexer->lookahead)) return;
  }
}

static bool scan_word(const State *state, TSLexer *lexer, const bool *valid) {
  if (lexer->lookahead == HOLE) {
    if (!state->single) return false;
    advance(lexer);
    lexer->mark_end(lexer);
    lexer->result_symbol = NAME;
    return true;
  }
  /* No reserved word is longer than this. */
  char word[10];
  unsigned length = 0;
  do {
    if (lexer->lookahead >= 0x80) return false;
    if (length < sizeof(word)) word[length] = (char)lexer->lookahead;
    ++length;
    advance(lexer);
  } while (is_word_part(lexer->lookahead));
  lexer->mark_end(lexer);
  enum Token token = NAME;
#define IS(text) (memcmp(word, text, sizeof(text) - 1) == 0)
  switch (length) {
    case 2:
      if (IS("in")) token = IN;
      break;
    case 3:
      if (IS("let")) token = LET;
      else if (IS("Int")) token = BUILTIN_TYPE;
      break;
    case 4:
      if (IS("data")) token = DATA;
      else if (IS("Char")) token = BUILTIN_TYPE;
      break;
    case 6:
      if (IS("String")) token = BUILTIN_TYPE;
      break;
    case 7:
      if (IS("include") && valid[INCLUDE] && !valid[ERROR_SENTINEL]) token = INCLUDE;
      break;
    case 9:
      if (IS("interface")) token = INTERFACE;
      break;
    default:
      break;
  }
#undef IS
  lexer->result_symbol = token;
  return true;
}

static bool scan_number(TSLexer *lexer) {
  lexer->result_symbol = NATURAL;
  bool zero = lexer->lookahead == '0';
  advance(lexer);
  lexer->mark_end(lexer);
  if (zero && (lexer->lookahead == 'x' || lexer->lookahead == 'X')) {
    advance(lexer);
    while (is_hex_digit(lexer->lookahead)) {
      advance(lexer);
      lexer->mark_end(lexer);
    }
    return true;
  }
  if (zero && (lexer->lookahead == 'o' || lexer->lookahead == 'O')) {
    advance(lexer);
    while (is_octal_digit(lexer->lookahead)) {
      advance(lexer);
      lexer->mark_end(lexer);
    }
    return true;
  }
  while (is_digit(lexer->lookahead)) advance(lexer);
  lexer->mark_end(lexer);
  if (lexer->lookahead == '.') {
    advance(lexer);
    if (!is_digit(lexer->lookahead)) return true;
    while (is_digit(lexer->lookahead)) advance(lexer);
    lexer->mark_end(lexer);
    lexer->result_symbol = FLOAT;
  }
  if (lexer->lookahead == 'e' || lexer->lookahead == 'E') {
    advance(lexer);
    if (lexer->lookahead == '+' || lexer->lookahead == '-') advance(lexer);
    if (!is_digit(lexer->lookahead)) return true;
    while (is_digit(lexer->lookahead)) advance(lexer);
    lexer->mark_end(lexer);
    lexer->result_symbol = FLOAT;
  }
  return true;
}

/* Layout */

/** Whether a token at `column`, the first on its line, begins a new item. */
static bool begins_item(const State *state, uint32_t column, int32_t first) {
  if (state->depth == 0) return column <= state->item_column;
  return column == state->item_column && is_word_start(first);
}

/**
 * Looks from the end of a token or comment to the next token and decides whether the item ends
 * before that. Counts the comments on the way.
 */
static bool look_for_item_end(State *state, TSLexer *lexer, uint32_t column, bool newline, uint32_t *comments) {
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    if (c == '\n') {
      advance(lexer);
      column = 0;
      newline = true;
    } else if (is_blank(c)) {
      advance(lexer);
      ++column;
    } else if (c == '-' || c == '{') {
      bool ends = newline && begins_item(state, column, c);
      advance(lexer);
      ++column;
      if (lexer->lookahead != '-') return ends;
      advance(lexer);
      ++column;
      if (c == '-') {
        scan_line_comment(lexer);
      } else {
        if (lexer->lookahead != '-') return ends;
        advance(lexer);
        ++column;
        if (!scan_block_comment(state, lexer, false, &column, &newline)) return true;
      }
      ++*comments;
    } else {
      return newline && begins_item(state, column, c);
    }
  }
  return true;
}

static bool end_item(State *state, TSLexer *lexer) {
  state->between = true;
  lexer->result_symbol = ITEM_END;
  return true;
}

static bool start_item(State *state, TSLexer *lexer) {
  if (!state->single && state->item_column == NO_COLUMN) state->item_column = lexer->get_column(lexer);
  state->between = false;
  state->depth = 0;
  lexer->result_symbol = ITEM_START;
  return true;
}

static bool finish(TSLexer *lexer, enum Token token) {
  lexer->result_symbol = token;
  return true;
}

/**
 * Reads what begins with `-` or `{`. The end of the token is marked at its start, or before the
 * blanks in front of it; in a layout it must stay there until it is clear that the item goes on.
 */
static bool scan_hyphen_or_brace(
  State *state, TSLexer *lexer, bool layout, bool clause, uint32_t column, bool newline
) {
  int32_t first = lexer->lookahead;
  bool ends = layout && newline && begins_item(state, column, first);
  bool keep_mark = layout || state->between || clause;
  uint32_t first_column = state->between && state->item_column == NO_COLUMN ? lexer->get_column(lexer) : 0;

  if (state->between) lexer->mark_end(lexer);
  advance(lexer);
  ++column;
  bool is_comment = false;
  if (first == '{' && !keep_mark) lexer->mark_end(lexer);
  if (lexer->lookahead == '-') {
    advance(lexer);
    ++column;
    is_comment = first == '-' || lexer->lookahead == '-';
  } else if (first == '{' && !ends && !state->between && !clause) {
    lexer->mark_end(lexer);
    keep_mark = false;
  }

  if (is_comment) {
    if (first == '{') {
      advance(lexer);
      ++column;
    }
    if (layout) {
      uint32_t comments = 1;
      bool closed = true;
      if (first == '{') {
        closed = scan_block_comment(state, lexer, false, &column, &newline);
      } else {
        scan_line_comment(lexer);
      }
      if (!closed || look_for_item_end(state, lexer, column, newline, &comments)) return end_item(state, lexer);
      state->comments_ahead = comments;
      return finish(lexer, CONTINUATION);
    }
    if (state->comments_ahead > 0) --state->comments_ahead;
    if (first == '{') {
      scan_block_comment(state, lexer, true, &column, &newline);
      return finish(lexer, BLOCK_COMMENT);
    }
    scan_line_comment(lexer);
    lexer->mark_end(lexer);
    return finish(lexer, LINE_COMMENT);
  }

  if (state->between) {
    if (!state->single && state->item_column == NO_COLUMN) state->item_column = first_column;
    return start_item(state, lexer);
  }
  if (ends) return end_item(state, lexer);
  if (clause) {
    bool patterns = first == '-' && lexer->lookahead != '>' && look_for_patterns(state, lexer);
    return finish(lexer, patterns ? CLAUSE_START : BODY_START);
  }
  if (first == '-') return false;
  if (keep_mark) {
    /* `{-` in a layout: the end of the brace cannot be marked any more. */
    state->comments_ahead = 1;
    return finish(lexer, CONTINUATION);
  }
  state->comments_ahead = 0;
  ++state->depth;
  return finish(lexer, LEFT_BRACE);
}

static bool scan_bracket(State *state, TSLexer *lexer, const bool *valid) {
  int32_t c = lexer->lookahead;
  advance(lexer);
  lexer->mark_end(lexer);
  switch (c) {
    case '(':
      ++state->depth;
      return finish(lexer, valid[SHAPE_OPEN] && look_for_shape(state, lexer) ? SHAPE_OPEN : LEFT_PARENTHESIS);
    case '[':
      ++state->depth;
      return finish(lexer, LEFT_BRACKET);
    default:
      if (state->depth > 0) --state->depth;
      return finish(lexer, c == ')' ? RIGHT_PARENTHESIS : c == ']' ? RIGHT_BRACKET : RIGHT_BRACE);
  }
}

bool tree_sitter_frank_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  State *state = payload;
  bool clause = valid[CLAUSE_START] && !valid[ERROR_SENTINEL];
  bool layout = !state->single && !state->between && state->comments_ahead == 0;

  if ((valid[ITEM_MARKER]) && (lexer->lookahead == 1 || lexer->lookahead == 2) && !valid[ERROR_SENTINEL]) {
    enum Token marker = lexer->lookahead == 1 ? ITEM_MARKER : TERM_MARKER;
    advance(lexer);
    lexer->mark_end(lexer);
    state->single = true;
    return finish(lexer, marker);
  }

  /* Empty tokens end here, before the blanks. */
  lexer->mark_end(lexer);

  bool newline = false;
  uint32_t column = 0;
  for (;;) {
    int32_t c = lexer->lookahead;
    if (c == '\n') {
      newline = true;
      column = 0;
    } else if (is_blank(c) || (c == 0xfeff && valid[ITEM_MARKER])) {
      ++column;
    } else {
      break;
    }
    lexer->advance(lexer, true);
  }

  int32_t c = lexer->lookahead;
  if (lexer->eof(lexer)) return !state->between && end_item(state, lexer);
  /* Behind the blanks: otherwise the line would seem to begin a new item once more. */
  if (state->between) lexer->mark_end(lexer);
  if (c == '-' || c == '{') return scan_hyphen_or_brace(state, lexer, layout, clause, column, newline);
  if (state->between) {
    /* Behind the blanks, so that the next look does not see the line break again. */
    lexer->mark_end(lexer);
    return start_item(state, lexer);
  }
  if (layout && newline && begins_item(state, column, c)) return end_item(state, lexer);
  if (clause && c != '}') {
    return finish(lexer, look_for_patterns(state, lexer) ? CLAUSE_START : BODY_START);
  }
  if (is_word_start(c)) {
    if (valid[MODULE_NAME] && !valid[ERROR_SENTINEL]) {
      scan_module_name(lexer);
      return finish(lexer, MODULE_NAME);
    }
    return scan_word(state, lexer, valid);
  }
  if (is_digit(c)) return scan_number(lexer);
  switch (c) {
    case '(':
    case ')':
    case '[':
    case ']':
    case '}':
      return scan_bracket(state, lexer, valid);
    case '"':
      scan_quoted(lexer, true);
      return finish(lexer, STRING);
    case '\'':
      scan_quoted(lexer, true);
      return finish(lexer, CHARACTER);
    default:
      return false;
  }
}
