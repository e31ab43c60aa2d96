class Frank < Formula
  desc "Tools for Frank, the language of effects and handlers"
  homepage "https://github.com/frank-tools/frank"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/frank-tools/frank/releases/download/v@VERSION@/frank-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/frank-tools/frank/releases/download/v@VERSION@/frank-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/frank-tools/frank/releases/download/v@VERSION@/frank-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256:aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "https://github.com/frank-tools/frank/releases/download/v@VERSION@/frank-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256:x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "frank"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/frank.bash" => "frank"
    fish_completion.install "completions/frank.fish"
    zsh_completion.install "completions/_frank"
  end

  test do
    (testpath/"wrong.fk").write "main : {Int}\nmain! = 6 * 'x'\n"
    assert_match "error[FK0210]", shell_output("#{bin}/frank check wrong.fk 2>&1", 1)
  end
end
