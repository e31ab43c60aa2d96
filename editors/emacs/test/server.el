;;; server.el --- eglot against the real server  -*- lexical-binding: t; -*-
;; FRANK=PATH emacs --batch -q -l editors/emacs/test/server.el, from the project's directory
(package-initialize)
(add-to-list 'load-path (expand-file-name "editors/emacs"))
(require 'eglot)
(require 'frank-mode)
(setq frank-program (expand-file-name (getenv "FRANK"))
      eglot-sync-connect 10)
(find-file "docs/examples/missing-lift.fk")
(flymake-mode 1)
(apply #'eglot--connect (eglot--guess-contact))
(with-timeout (20)
  (while (null (flymake-diagnostics))
    (accept-process-output nil 0.1)))
(let ((texts (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
  (princ (format "%s\n" texts))
  (kill-emacs (if (and texts (string-match-p "lift x" (car texts))) 0 1)))
;;; server.el ends here
