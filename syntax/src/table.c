/**
 * Reads the generated parse table. The library of tree-sitter reads it as well, but gives its users
 * what can follow a state only where that takes no reduction, which says too much or too little
 * about an error.
 */

#include "tree_sitter/parser.h"

#include <string.h>

extern const TSLanguage *tree_sitter_frank(void);

enum Kind { NONE, SHIFT, REDUCE, ACCEPT };

/**
 * Writes what the table says of each symbol in each state, row by row: `states` rows of `symbols` numbers, at
 * least as many as there are. For a token that is where its actions are, for other symbols the state
 * behind them, and 0 for what cannot come. The table itself has most states as lists, to be small.
 */
void frank_syntax_expand(uint16_t *into, size_t states, size_t symbols) {
  const TSLanguage *language = tree_sitter_frank();
  if (states < language->state_count || symbols < language->symbol_count) return;
  for (uint32_t state = 0; state < language->state_count; ++state) {
    uint16_t *row = into + state * symbols;
    if (state < language->large_state_count) {
      memcpy(row, &language->parse_table[state * language->symbol_count], language->symbol_count * sizeof *row);
      continue;
    }
    const uint16_t *data =
      &language->small_parse_table[language->small_parse_table_map[state - language->large_state_count]];
    for (unsigned groups = *data++; groups > 0; --groups) {
      uint16_t value = *data++;
      for (unsigned count = *data++; count > 0; --count) row[*data++] = value;
    }
  }
}

/**
 * What the parser does at one of the places of actions: a `Kind` in the lowest 8 bits, then for `REDUCE` the
 * number of children in 8 bits, then the next state or the reduced symbol in 16, then for `REDUCE` the
 * production in 16. `place` comes from the table. Comments are not asked about.
 */
uint64_t frank_syntax_action(uint16_t place) {
  const TSParseActionEntry *entry = &tree_sitter_frank()->parse_actions[place];
  for (unsigned i = 1; i <= entry->entry.count; ++i) {
    TSParseAction action = entry[i].action;
    switch (action.type) {
      case TSParseActionTypeShift:
        if (!action.shift.extra && !action.shift.repetition) return SHIFT | (uint64_t)action.shift.state << 16;
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

/** The number of symbols that are tokens; they come first. */
uint16_t frank_syntax_token_count(void) { return tree_sitter_frank()->token_count; }

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
