;;; frank-mode.el --- Major mode for the effect language Frank  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages
;; URL: https://github.com/frank-tools/frank

;;; Commentary:

;; Colours, comments and indentation for Frank, and an entry for eglot, which
;; starts `frank lsp'.  Everything that needs to know a program is the server's.
;; C-c C-r runs the operator at point, C-c C-d evaluates it and its derivative,
;; C-c C-i shows all that is known at point in a window that follows it.

;;; Code:

(require 'seq)
(require 'subr-x)

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

;; Running and differentiating, by the server's commands.

(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function jsonrpc-async-request "jsonrpc")

(defvar-local frank--points nil
  "The last points of operators, by their names.")

(defun frank--operator ()
  "The name of the operator in which point is, and where it begins; nil if in none."
  (save-excursion
    (end-of-line)
    (when (re-search-backward (concat "^\\(" frank--name "\\)[^\n]*") nil t)
      (cons (match-string-no-properties 1) (match-beginning 0)))))

(defun frank--show (name text face)
  "Show TEXT in FACE behind the first line of the operator NAME, and below."
  (save-excursion
    (goto-char (point-min))
    (when (re-search-forward (concat "^" (regexp-quote name) "\\_>.*$") nil t)
      (remove-overlays (line-beginning-position) (line-end-position) 'frank-result t)
      (let ((overlay (make-overlay (line-beginning-position) (line-end-position))))
        (overlay-put overlay 'frank-result t)
        (overlay-put overlay 'after-string (propertize (concat "  " text) 'face face)))))
  (message "%s: %s" name text))

(defun frank--execute (command arguments done)
  "Have the server do COMMAND with ARGUMENTS, and call DONE with the answer.
The address of this buffer's file comes before ARGUMENTS."
  (let ((server (and (fboundp 'eglot-current-server) (eglot-current-server)))
        (buffer (current-buffer)))
    (unless server
      (user-error "No server serves this buffer: M-x eglot starts it"))
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command command :arguments (vconcat (cons (frank--uri) arguments)))
     :timeout 60
     :success-fn (lambda (answer)
                   (when (and answer (buffer-live-p buffer))
                     (with-current-buffer buffer (funcall done answer))))
     :error-fn (lambda (problem) (message "frank: %s" (plist-get problem :message)))
     :timeout-fn (lambda () (message "frank: no answer within a minute")))))

(defun frank--uri ()
  "The address of this buffer's file, as the server has it from eglot."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun frank--numbers (numbers)
  "The texts in the vector NUMBERS, with blanks between them."
  (mapconcat (lambda (number) (format "%s" number)) numbers " "))

(defun frank-run (name)
  "Run the operator NAME, by default the one at point, and show its value."
  (interactive (list (or (car (frank--operator)) (user-error "Point is in no operator"))))
  (frank--execute
   "frank.run" (list name)
   (lambda (answer)
     (let ((output (or (plist-get answer :output) "")))
       (unless (string-empty-p output)
         (with-current-buffer (get-buffer-create "*frank*")
           (goto-char (point-max))
           (insert output)
           (display-buffer (current-buffer)))))
     (frank--show name (format "= %s" (plist-get answer :value)) 'success))))

(defun frank-derivative (name at &optional more)
  "Evaluate the operator NAME and its derivative at the point AT.
AT is a text such as \"2 3\", \"[1, 2]\" or \"pair 1 2\".  If it is empty,
where the operator's comment says, or where it was last.  With MORE,
the prefix argument, evaluate second derivatives, too, and hold all
of them against finite differences."
  (interactive
   (let ((name (or (car (frank--operator)) (user-error "Point is in no operator"))))
     (list name (read-string (format "Point of %s: " name) (cdr (assoc name frank--points)))
           current-prefix-arg)))
  (setf (alist-get name frank--points nil nil #'equal) at)
  (let ((arguments (append (unless (string-blank-p at) (list :at (vector at)))
                           (when more (list :order 2 :check t)))))
    (frank--execute
     "frank.derivative"
     (list name (or arguments (make-hash-table)))
     (lambda (answer)
       (let* ((all (append (plist-get answer :derivatives) nil))
              (good (seq-remove (lambda (one) (plist-get one :error)) all))
              (agree (not (eq (plist-get answer :agree) :json-false)))
              (fine (and agree (not (eq (plist-get answer :checked) :json-false))))
              (each (mapconcat (lambda (one)
                                 (concat (plist-get one :by) " "
                                         (or (plist-get one :error)
                                             (frank--numbers (plist-get one :values)))))
                               all ", "))
              (sum (if (and agree good)
                       (frank--numbers (plist-get (car good) :values))
                     (concat "they disagree: " each))))
         (frank--show name
                      (if more
                          (plist-get answer :text)
                        (format "at %s = %s · ∂ = %s" (frank--numbers (plist-get answer :at))
                                (plist-get answer :value) sum))
                      (if fine 'success 'error)))))))

;; What is known at point, in a window beside the text.

(declare-function eglot--TextDocumentPositionParams "eglot")

(defconst frank--info-buffer "*frank info*")

(defvar frank--info-pinned nil
  "Whether the window of `frank-info' stays as it is.")

(defvar frank--info-timer nil
  "What asks when Emacs is idle; nil while nothing is to be shown.")

(defvar frank--info-place nil
  "The buffer, its state and the place that were asked about last.")

(defun frank--info-show ()
  "Ask the server about point, and show the answer in the window."
  (let ((server (and (derived-mode-p 'frank-mode)
                     (fboundp 'eglot-current-server) (eglot-current-server)))
        (place (list (current-buffer) (buffer-chars-modified-tick) (point))))
    (unless (or (null frank--info-timer) (get-buffer-window frank--info-buffer t))
      (cancel-timer frank--info-timer)
      (setq frank--info-timer nil))
    (when (and server frank--info-timer (not frank--info-pinned)
               (not (equal place frank--info-place)))
      (setq frank--info-place place)
      (jsonrpc-async-request
       server :frank/info (eglot--TextDocumentPositionParams)
       :success-fn (lambda (answer)
                     (when (equal place frank--info-place)
                       (frank--info-put (or (plist-get answer :text) "Nothing is known here."))))
       ;; An edit made the question useless.
       :error-fn #'ignore
       :timeout-fn #'ignore))))

(defun frank--info-put (text)
  "Put TEXT into the buffer of `frank-info'."
  (let ((buffer (get-buffer frank--info-buffer)))
    (when buffer
      (with-current-buffer buffer
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert text)
          (goto-char (point-min)))))))

(defun frank-info (&optional pin)
  "Show all that is known at point in a window that follows it.
With PIN, the prefix argument, the window stays as it is, or follows
point again."
  (interactive "P")
  (if pin
      (setq frank--info-pinned (not frank--info-pinned))
    (with-current-buffer (get-buffer-create frank--info-buffer)
      (special-mode)
      (visual-line-mode))
    (setq frank--info-pinned nil)
    (display-buffer frank--info-buffer))
  (setq frank--info-place nil)
  (unless frank--info-timer
    (setq frank--info-timer (run-with-idle-timer 0.2 t #'frank--info-show)))
  (frank--info-show))

(autoload 'frank-step "frank-steps" "Show a run state by state." t)
(autoload 'frank-find-by-type "frank-find" "Find what has a type." t)
(autoload 'frank-next-hole "frank-holes" "Go to the next hole." t)
(autoload 'frank-previous-hole "frank-holes" "Go to the previous hole." t)
(autoload 'frank-holes "frank-holes" "List the holes of the workspace." t)
(autoload 'frank-fill "frank-holes" "Write a term that fits a hole." t)

(defun frank-clear ()
  "Remove the shown results."
  (interactive)
  (remove-overlays (point-min) (point-max) 'frank-result t))

(defvar frank-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-r") #'frank-run)
    (define-key map (kbd "C-c C-d") #'frank-derivative)
    (define-key map (kbd "C-c C-i") #'frank-info)
    (define-key map (kbd "C-c C-s") #'frank-step)
    (define-key map (kbd "C-c C-f") #'frank-find-by-type)
    (define-key map (kbd "C-c C-n") #'frank-next-hole)
    (define-key map (kbd "C-c C-p") #'frank-previous-hole)
    (define-key map (kbd "C-c C-l") #'frank-holes)
    (define-key map (kbd "C-c C-a") #'frank-fill)
    (define-key map (kbd "C-c C-k") #'frank-clear)
    map)
  "The keys of `frank-mode'.")

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

(defun frank--show-all-help ()
  "Show what is known about the name at point, too, not only the ports around it.
Eglot shows the one or the other, in its older versions."
  (when (and (derived-mode-p 'frank-mode) (fboundp 'eldoc-documentation-compose))
    (setq-local eldoc-documentation-strategy #'eldoc-documentation-compose)))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-hook 'eglot-managed-mode-hook #'frank--show-all-help)
  (add-to-list 'eglot-server-programs
               `(frank-mode . ,(lambda (&rest _) (list frank-program "lsp")))))

(provide 'frank-mode)
;;; frank-mode.el ends here
