" Colours for a Neovim that has neither the parser nor takes colours from the server.
if exists('b:current_syntax')
  finish
endif

syntax match frankItem "^[[:alpha:]_][[:alnum:]_']*"
syntax keyword frankKeyword let in
syntax keyword frankBuiltin String Int Char
syntax match frankDeclaration "^\(data\|interface\)\>" nextgroup=frankType skipwhite
syntax match frankType "[[:alpha:]_][[:alnum:]_']*" contained
syntax match frankInclude "^include\>" nextgroup=frankModule skipwhite
syntax match frankModule "\S\+" contained
syntax match frankNumber "\<\d[0-9a-fA-FxXoO_.]*\>"
syntax match frankOperator "->\|::\|[<>=!]=\|[-+*/=!|;:]"
syntax region frankString start=+"+ skip=+\\\\\|\\"+ end=+"\|$+
syntax match frankCharacter "'\%([^'\\]\|\\[^']\+\|\\'\)'"
syntax match frankComment "--.*$" contains=@Spell
syntax region frankComment start="{--" end="--}" contains=frankComment,@Spell

highlight default link frankItem Function
highlight default link frankKeyword Keyword
highlight default link frankBuiltin Type
highlight default link frankDeclaration Keyword
highlight default link frankType Type
highlight default link frankInclude Include
highlight default link frankModule Constant
highlight default link frankNumber Number
highlight default link frankOperator Operator
highlight default link frankString String
highlight default link frankCharacter Character
highlight default link frankComment Comment

let b:current_syntax = 'frank'
