/**
 * Reads the generated parse table. The library of tree-sitter reads it as well, but gives its users
 * what can follow a state only where that takes no reduction, which says too much or too little
 * about an error.
 */

#include "tree_sitter/parser.h"

extern const TSLanguage *tree_sitter_frank(void);

enum Kind { NONE, SHIFT, REDUCE, ACCEPT };

static unsigned lookup(const TSLanguage *language, uint16_t state, uint16_t symbol) {
  if (state < language->large_state_count) return language->parse_table[state * language->symbol_count + symbol];
  const uint16_t *data = &language->small_parse_table[language->small_parse_table_map[state - language->large_state_count]];
  for (unsigned groups = *data++; groups > 0; --groups) {
    uint16_t value = *data++;
    for (unsigned symbols = *data++; symbols > 0; --symbols) {
      if (*data++ == symbol) return value;
    }
  }
  return 0;
}

/**
 * What the parser does in `state` when `symbol` comes next: a `Kind` in the lowest 8 bits, then for
 * `REDUCE` the number of children in 8 bits, then the next state or the reduced symbol in 16, then for
 * `REDUCE` the production in 16. For a symbol that is no token, shifts to the state behind it.
 */
uint64_t frank_syntax_action(uint16_t state, uint16_t symbol) {
  const TSLanguage *language = tree_sitter_frank();
  if (state >= language->state_count || symbol >= language->symbol_count) return NONE;
  unsigned index = lookup(language, state, symbol);
  if (symbol >= language->token_count) return index ? SHIFT | index << 16 : NONE;
  const TSParseActionEntry *entry = &language->parse_actions[index];
  for (unsigned i = 1; i <= entry->entry.count; ++i) {
    TSParseAction action = entry[i].action;
    switch (action.type) {
      case TSParseActionTypeShift:
        if (action.shift.extra) return SHIFT | (uint32_t)state << 16;
        if (!action.shift.repetition) return SHIFT | (uint32_t)action.shift.state << 16;
        break;
      case TSParseActionTypeReduce:
        return REDUCE | (uint64_t)action.reduce.child_count << 8 | (uint64_t)action.reduce.symbol << 16 |
               (uint64_t)action.reduce.production_id << 32;
      case TSParseActionTypeAccept:
        return ACCEPT;
      default:
        break;
    }
  }
  return NONE;
}

/** What the grammar calls the child at `index` of a production other than by its own name; 0 for nothing else. */
uint16_t frank_syntax_alias(uint16_t production, uint32_t index) {
  const TSLanguage *language = tree_sitter_frank();
  if (production >= language->production_id_count || index >= language->max_alias_sequence_length) return 0;
  return language->alias_sequences[production * language->max_alias_sequence_length + index];
}

/** The symbol of the external token at `index`. */
uint16_t frank_syntax_external_symbol(uint32_t index) {
  const TSLanguage *language = tree_sitter_frank();
  return index < language->external_token_count ? language->external_scanner.symbol_map[index] : 0;
}
