{
  description = "Tools for Frank, the language of effects and handlers";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      manifest = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package;
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "frank";
          version = manifest.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [
            "--package"
            "frank-cli"
          ];
          buildFeatures = [
            "native"
            "mcp"
            "plot"
            "kernel"
          ];
          # The tests need editors and browsers.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/frank man man
            installManPage man/*.1
            for shell in bash fish zsh; do
              $out/bin/frank completions $shell > frank.$shell
              installShellCompletion --cmd frank --$shell frank.$shell
            done
          '';
          meta = {
            description = "Tools for Frank, the language of effects and handlers";
            homepage = manifest.repository;
            license = with nixpkgs.lib.licenses; [
              mit
              asl20
            ];
            mainProgram = "frank";
          };
        };
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell { packages = [ pkgs.cargo pkgs.rustc pkgs.clippy pkgs.rustfmt ]; };
      });
    };
}
