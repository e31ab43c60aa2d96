;;; frank-mode.el --- Major mode for the effect language Frank  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages
;; URL: https://github.com/frank-lang/frank

;;; Commentary:

;; Colours, comments and indentation for Frank, and an entry for eglot, which
;; starts `frank lsp'.  Everything that needs to know a program is the server's.

;;; Code:

(defgroup frank nil
  "The effect language Frank."
  :group 'languages)

(defcustom frank-program "frank"
  "The program `frank', by name or path."
  :type 'string)

(defcustom frank-indent 2
  "How much further a line is indented than what it belongs to."
  :type 'integer)

(defvar frank-mode-syntax-table
  (let ((table (make-syntax-table)))
    ;; `--' to the end of the line, and `{-- --}', which nest.
    (modify-syntax-entry ?\{ "(}1nb" table)
    (modify-syntax-entry ?\} "){4nb" table)
    (modify-syntax-entry ?- ". 123" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?' "w" table)
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (dolist (char (string-to-list "+*/<>=!:;|,."))
      (modify-syntax-entry char "." table))
    table)
  "Which characters are what in Frank.")

(defconst frank--name "[[:alpha:]_][[:alnum:]_']*")

(defconst frank--font-lock
  `((,(concat "^\\(include\\)[ \t]+\\([^ \t\n]+\\)")
     (1 font-lock-preprocessor-face) (2 font-lock-constant-face))
    (,(concat "^\\(data\\|interface\\)[ \t]+\\(" frank--name "\\)")
     (1 font-lock-keyword-face) (2 font-lock-type-face))
    ("\\_<\\(let\\|in\\)\\_>" . font-lock-keyword-face)
    ("\\_<\\(String\\|Int\\|Char\\)\\_>" . font-lock-builtin-face)
    (,(concat "^" frank--name) . font-lock-function-name-face)
    ("'\\(?:[^'\\\\\n]\\|\\\\[^'\n]+\\|\\\\'\\)'" . font-lock-string-face)
    ;; A pattern for a command.
    (,(concat "<\\(" frank--name "\\)[^<>\n]*->[ \t]*\\(" frank--name "\\)>")
     (1 font-lock-function-name-face) (2 font-lock-variable-name-face))
    ("\\_<[0-9][0-9a-fA-FxXoO.]*\\_>" . font-lock-constant-face))
  "What is coloured how.")

(defun frank--indentation ()
  "The column for the current line."
  (save-excursion
    (beginning-of-line)
    (let* ((state (syntax-ppss))
           (open (nth 1 state))
           (closes (looking-at "[ \t]*[])}|]")))
      (cond
       ((nth 3 state) (current-indentation))
       (open
        (goto-char open)
        (let ((outer (current-indentation)))
          (if closes outer (+ outer frank-indent))))
       ;; What goes on with the line above, by its last character.
       ((and (zerop (forward-line -1))
             (progn (end-of-line)
                    (looking-back "\\(?:=\\|->\\|;\\|\\_<in\\)[ \t]*" (line-beginning-position))))
        (if (looking-back "\\(?:;\\|\\_<in\\)[ \t]*" (line-beginning-position))
            (max frank-indent (current-indentation))
          (+ (current-indentation) frank-indent)))
       ((looking-back "^[ \t]*" (line-beginning-position)) 0)
       (t (current-indentation))))))

(defun frank-indent-line ()
  "Indent the current line."
  (let ((column (frank--indentation))
        (offset (- (current-column) (current-indentation))))
    (indent-line-to column)
    (when (> offset 0)
      (forward-char offset))))

;;;###autoload
(define-derived-mode frank-mode prog-mode "Frank"
  "Major mode for the effect language Frank."
  (setq-local comment-start "-- ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?:--+\\|{--\\)[ \t]*")
  (setq-local font-lock-defaults '(frank--font-lock))
  (setq-local indent-line-function #'frank-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local imenu-generic-expression
              `(("Types" ,(concat "^data[ \t]+\\(" frank--name "\\)") 1)
                ("Interfaces" ,(concat "^interface[ \t]+\\(" frank--name "\\)") 1)
                ("Operators" ,(concat "^\\(" frank--name "\\)[ \t]*:") 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.fk\\'" . frank-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `(frank-mode . ,(lambda (&rest _) (list frank-program "lsp")))))

(provide 'frank-mode)
;;; frank-mode.el ends here
