;;; server.el --- eglot against the real server  -*- lexical-binding: t; -*-
;; FRANK=PATH emacs --batch -q -l editors/emacs/test/server.el, from the project's directory
(package-initialize)
(add-to-list 'load-path (expand-file-name "editors/emacs"))
(require 'eglot)
(require 'frank-mode)
(require 'frank-find)
(require 'frank-holes)
(setq frank-program (expand-file-name (getenv "FRANK"))
      eglot-sync-connect 20)

(defun frank-test-check (what right found)
  "Say whether WHAT is RIGHT; end if not, with what was FOUND."
  (princ (format "%s %s\n" (if right "ok  " "FAIL") what))
  (unless right
    (princ (format "%S\n" found))
    (kill-emacs 1)))

(defun frank-test-until (what ask)
  "Wait until ASK answers; give the answer, or end because WHAT did not come."
  (let (answer)
    (with-timeout (60 (frank-test-check what nil nil))
      (while (not (setq answer (funcall ask)))
        (accept-process-output nil 0.05)))
    answer))

(let ((folder (make-temp-file "frank" t)))
  (with-temp-file (expand-file-name "missing-lift.fk" folder)
    (insert-file-contents "docs/examples/missing-lift.fk")
    (goto-char (point-max))
    (insert "\n-- | at 2\ncube : X -> [Smooth X]X\n"
            "cube x = p (c 1) (p (t (t x x) x) (n (t (c 4) (c 4))))\n"))
  (with-temp-file (expand-file-name "untidy.fk" folder) (insert "f : Int -> Int\nf x=x+1\n"))
  (with-temp-file (expand-file-name "frank.toml" folder))
  (find-file (expand-file-name "missing-lift.fk" folder)))
(apply #'eglot--connect (eglot--guess-contact))
(flymake-mode 1)

;; The mistake, and where it is.
(let* ((one (frank-test-until
             "an error"
             (lambda () (seq-find (lambda (one) (eq (flymake-diagnostic-type one) 'eglot-error))
                                  (flymake-diagnostics)))))
       (text (flymake-diagnostic-text one)))
  (frank-test-check "the finding says what is missing" (string-match-p "lift x" text) text)
  (goto-char (flymake-diagnostic-beg one))
  (frank-test-check "it stands at x" (looking-at-p "x y}") (point)))

;; What is known about x.
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover
                              (eglot--TextDocumentPositionParams))))
  (frank-test-check "hover" (string-match-p "x : Dual Int" (format "%S" hover)) hover))

;; The same and more in a window; what is pinned stays.
(defun frank-test-info ()
  (with-current-buffer frank--info-buffer (buffer-string)))
(save-window-excursion
  (frank-info)
  (frank-test-until "what is known" (lambda () (string-match-p "x : Dual Int" (frank-test-info))))
  (frank-test-check "who handles an instance" (string-match-p "(active)\n +handled by d" (frank-test-info)) (frank-test-info))
  (frank-test-check "the finding in full" (string-match-p "FK0202" (frank-test-info)) (frank-test-info))
  (frank-info t)
  (save-excursion
    (goto-char (point-min))
    (frank--info-show)
    (frank-test-check "pinned" (string-match-p "x : Dual Int" (frank-test-info)) (frank-test-info))))

;; A run state by state.
(defun frank-test-steps ()
  (with-current-buffer frank-steps--buffer (buffer-substring-no-properties (point-min) (point-max))))
(save-window-excursion
  (frank-step "evaluate (t (c 2) 3)")
  (frank-test-check "the first state" (string-match-p "\\`1 of .*start" (frank-test-steps)) (frank-test-steps))
  (with-current-buffer frank-steps--buffer
    (frank-steps-command)
    (frank-test-check "the command" (string-match-p "call\n\nevaluate (t (c 2) 3)\n" (frank-test-steps)) (frank-test-steps))
    (let ((faces (save-excursion (search-forward "c 2") (get-text-property (match-beginning 0) 'face))))
      (frank-test-check "focus and frozen" (equal faces '(frank-steps-focus frank-steps-frozen)) faces))
    (frank-steps-last)
    (frank-test-check "its value" (string-match-p "\n\n6\n" (frank-test-steps)) (frank-test-steps)))
  (kill-buffer frank-steps--buffer))

;; Search by type.
(save-window-excursion
  (save-current-buffer
    (let (listed)
      (cl-letf (((symbol-function 'frank-find--choose)
                 (lambda (lines) (setq listed (mapcar #'car lines)) (caar lines))))
        (frank-find-by-type "List X -> {X -> Y} -> List Y"))
      (frank-test-check "found by its type" (string-match-p "\\`map : .*include prelude; order\\'" (car listed)) listed)
      (frank-test-check "at its definition" (looking-at-p "map :") (buffer-name)))))

;; Holes: the next one, all of them, and a term that fills one.
(save-window-excursion
  (save-current-buffer
    (with-temp-file "holes.fk"
      (insert "include prelude\n\n-- > half 4\n-- = 2\nhalf : Int -> Int\nhalf n = _half\n\n"
              "main : {Int}\nmain! = case 'λ' { _ -> _ }\n"))
    (find-file "holes.fk")
    (eglot--maybe-activate-editing-mode)
    (goto-char (point-min))
    (frank-next-hole)
    (frank-test-check "the next hole" (looking-at-p "_half\n") (point))
    (frank-next-hole)
    (frank-test-check "the one behind it" (looking-at-p "_ }") (point))
    (frank-next-hole)
    (frank-test-check "round the end" (looking-at-p "_half\n") (point))
    (frank-previous-hole)
    (frank-test-check "back" (looking-at-p "_ }") (point))
    (let ((all (mapcar #'xref-item-summary (frank-holes--all))))
      (frank-test-check "all holes" (equal all '("_half : Int, in half" "_ : Int, in main")) all))
    (frank-previous-hole)
    ;; Somebody writes there while the terms are looked at.
    (cl-letf (((symbol-function 'frank-holes--choose)
               (lambda (lines _note)
                 (insert "1 + ")
                 (delete-char (length "_half"))
                 (insert "n")
                 (car lines))))
      (let ((said (condition-case problem (frank-fill) (user-error (cadr problem)))))
        (frank-test-check "a hole that is gone" (equal said "The hole is gone") said))
      (frank-test-check "what was written stays" (looking-back "half n = 1 \\+ n" (line-beginning-position)) (buffer-string)))
    (delete-region (- (point) (length "1 + n")) (point))
    (save-excursion (insert "_half"))
    (let (listed)
      (cl-letf (((symbol-function 'frank-holes--choose)
                 (lambda (lines _note) (setq listed lines) (car lines))))
        (frank-fill))
      (frank-test-check "a term for which the example holds" (string-match-p "the examples hold\\'" (car listed)) listed)
      (goto-char (point-min))
      (frank-test-check "it is written" (search-forward (concat "half n = " (car (split-string (car listed) "    "))) nil t)
                        (buffer-string)))
    ;; Which a person's pause would do.
    (eglot--signal-textDocument/didChange)
    (with-temp-file "full.fk" (insert "f : Int -> Int\nf n = n\n"))
    (find-file "full.fk")
    (eglot--maybe-activate-editing-mode)
    (frank-next-hole)
    (frank-test-check "from a file without holes" (looking-at-p "_ }") (list (buffer-name) (point)))
    (switch-to-buffer "full.fk")
    (goto-char (point-max))
    (insert "\ng : {Int}\ng! = _new\n")
    (frank-next-hole)
    (frank-test-check "a hole that was just typed" (looking-at-p "_new\n") (list (buffer-name) (point)))
    (dolist (name '("full.fk" "holes.fk"))
      (with-current-buffer name (set-buffer-modified-p nil))
      (kill-buffer name))))

;; The fix.
(let ((actions (eglot-code-actions (point) (1+ (point)))))
  (frank-test-check "a code action" (> (length actions) 0) actions)
  (eglot--apply-workspace-edit (plist-get (aref (vconcat actions) 0) :edit))
  (frank-test-check "it is written" (save-excursion (goto-char (point-min)) (search-forward "p (lift x) y" nil t))
                    (buffer-string))
  ;; Which a person's pause would do.
  (eglot--signal-textDocument/didChange)
  (frank-test-until "the finding goes" (lambda () (seq-every-p (lambda (one) (eq (flymake-diagnostic-type one) 'eglot-warning))
                                            (flymake-diagnostics))))
  (princ "ok   the finding goes\n"))

;; Running: the value is shown behind the signature.
(goto-char (point-max))
(re-search-backward "^main! ")
(call-interactively #'frank-run)
(let ((shown (frank-test-until "a value"
                               (lambda ()
                                 (seq-find (lambda (one) (overlay-get one 'frank-result))
                                           (overlays-in (point-min) (point-max)))))))
  (frank-test-check "the value" (equal (substring-no-properties (overlay-get shown 'after-string)) "  = 1")
                    (overlay-get shown 'after-string)))

;; A derivative, at the point of its comment and at another one.
(dolist (case '(("" . "  at 2 = -7 · ∂ = 12") ("3" . "  at 3 = 12 · ∂ = 27")))
  (frank-derivative "cube" (car case))
  (frank-test-until
   (cdr case)
   (lambda ()
     (seq-find (lambda (one)
                 (equal (substring-no-properties (or (overlay-get one 'after-string) "")) (cdr case)))
               (overlays-in (point-min) (point-max)))))
  (princ (format "ok  %s\n" (cdr case))))

;; Formatting.
(find-file "untidy.fk")
(eglot--maybe-activate-editing-mode)
(eglot-format-buffer)
(frank-test-check "formatting" (equal (buffer-string) "f : Int -> Int\nf x = x + 1\n") (buffer-string))
;;; server.el ends here
