# A terminal without a screen, for the tests that look at what an editor draws. Read by them after
# install/common.sh. Every terminal has a tmux server of its own: one that was told to end may still answer.

"$here/debian.sh" tmux

terminals=0
terminal() {
  tmux -S "$FRANK_SCRATCH/tmux-$terminals" -f /dev/null "$@"
}

# Starts a command in a new terminal of 100 by 30: open_terminal COMMAND…
open_terminal() {
  close_terminal
  terminals=$((terminals + 1))
  TERM=xterm-256color LANG=C.UTF-8 terminal -u new-session -d -x 100 -y 30 "$@"
  terminal set-option -g status off
}

close_terminal() {
  terminal kill-server 2>/dev/null || true
}
trap close_terminal EXIT

# Presses keys, by tmux's names for them.
press() {
  terminal send-keys "$@"
}

# Types text as it is.
type_text() {
  terminal send-keys -l -- "$1"
}

screen() {
  terminal capture-pane -p
}

# Waits until the screen shows a pattern of grep -E: shows WHAT PATTERN.
shows() {
  local left=600
  until screen | grep -Eq -- "$2"; do
    left=$((left - 1))
    if [ "$left" = 0 ]; then
      screen >&2
      fail "$1: waited for $2 on the screen above"
    fi
    sleep 0.1
  done
  echo "  ok   $1"
}

# Waits until the screen no longer shows a pattern.
shows_no_more() {
  local left=600
  while screen | grep -Eq -- "$2"; do
    left=$((left - 1))
    if [ "$left" = 0 ]; then
      screen >&2
      fail "$1: $2 is still on the screen above"
    fi
    sleep 0.1
  done
  echo "  ok   $1"
}

# Keeps what is on the screen, for people to look at.
keep_screen() {
  mkdir -p "$FRANK_PICTURES/terminal"
  screen >"$FRANK_PICTURES/terminal/$1.txt"
}
