;;; frank-steps.el --- A run of Frank state by state  -*- lexical-binding: t; -*-

;;; Commentary:

;; `frank-step' asks the server for the states of a run, and shows them in a window: the term, its focus
;; underlined, and what is frozen on the way to a handler highlighted.  The focus is shown in the program, too.

;;; Code:

(require 'seq)

(declare-function eglot-current-server "eglot")
(declare-function jsonrpc-request "jsonrpc")

(defconst frank-steps--buffer "*Frank steps*"
  "The name of the buffer that shows a run.")

(defvar-local frank-steps--run nil
  "The server's answer that is shown.")

(defvar-local frank-steps--index 0
  "The number of the state that is shown, from 0.")

(defvar-local frank-steps--file nil
  "The buffer from which the run was asked for.")

(defface frank-steps-focus '((t :inherit underline :weight bold))
  "What the next rule is about." :group 'frank)

(defface frank-steps-frozen '((t :inherit highlight))
  "What becomes a continuation." :group 'frank)

(defun frank-steps--states ()
  "The states of the run that is shown."
  (plist-get frank-steps--run :states))

(defun frank-steps--mark (start range face)
  "Put FACE on RANGE of the term that begins at START."
  (add-face-text-property (+ start (aref range 0)) (+ start (aref range 1)) face))

(defun frank-steps--light (state)
  "Show the focus of STATE in the buffer of its file."
  (let* ((place (plist-get state :place))
         (source (and place (aref (plist-get frank-steps--run :sources) (aref place 0))))
         (file frank-steps--file))
    (when (buffer-live-p file)
      (with-current-buffer file
        (remove-overlays (point-min) (point-max) 'frank-steps t)
        ;; A text that was changed meanwhile has other places.
        (when (and source (equal (plist-get source :text) (save-restriction (widen) (buffer-string))))
          (let ((overlay (make-overlay (+ (point-min) (aref place 1)) (+ (point-min) (aref place 2)))))
            (overlay-put overlay 'frank-steps t)
            (overlay-put overlay 'face 'match)
            (let ((window (get-buffer-window file)))
              (when window
                (set-window-point window (overlay-start overlay))))))))))

(defun frank-steps--show (index)
  "Show the state of number INDEX, or the nearest one."
  (let* ((states (frank-steps--states))
         (index (max 0 (min (1- (length states)) index)))
         (state (aref states index))
         (from (plist-get frank-steps--run :from))
         (inhibit-read-only t)
         (printed (seq-some (lambda (one) (plist-get one :printed))
                            (reverse (seq-take states (1+ index))))))
    (setq frank-steps--index index)
    (erase-buffer)
    (insert (format "%d of %d%s  %s\n\n" (+ from index) (+ from (length states) -1)
                    (if (eq (plist-get frank-steps--run :cut) t) ", and more" "")
                    (plist-get state :rule)))
    (let ((start (point)))
      (insert (plist-get state :term) "\n")
      (seq-do (lambda (range) (frank-steps--mark start range 'frank-steps-frozen)) (plist-get state :frozen))
      (frank-steps--mark start (plist-get state :focus) 'frank-steps-focus))
    (when (and (plist-get frank-steps--run :failure) (= index (1- (length states))))
      (insert "\n" (plist-get frank-steps--run :failure) "\n"))
    (when printed
      (insert "\nprinted:\n" printed "\n"))
    (goto-char (point-min))
    (frank-steps--light state)))

(defun frank-steps-next (&optional count)
  "Show the next state, or the one after COUNT."
  (interactive "p")
  (frank-steps--show (+ frank-steps--index (or count 1))))

(defun frank-steps-back (&optional count)
  "Show the state before, or the one COUNT before."
  (interactive "p")
  (frank-steps--show (- frank-steps--index (or count 1))))

(defun frank-steps-first ()
  "Show the first state."
  (interactive)
  (frank-steps--show 0))

(defun frank-steps-last ()
  "Show the last state."
  (interactive)
  (frank-steps--show (1- (length (frank-steps--states)))))

(defun frank-steps-command ()
  "Show the next state in which a command has just set out."
  (interactive)
  (let* ((states (frank-steps--states))
         (sets-out (lambda (state)
                     (seq-some (lambda (range) (equal range (plist-get state :focus)))
                               (plist-get state :frozen))))
         (index (1+ frank-steps--index)))
    (while (and (< index (length states)) (not (funcall sets-out (aref states index))))
      (setq index (1+ index)))
    (frank-steps--show index)))

(defvar frank-steps-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (dolist (key '("n" "SPC" "<right>"))
      (define-key map (kbd key) #'frank-steps-next))
    (dolist (key '("p" "DEL" "<left>"))
      (define-key map (kbd key) #'frank-steps-back))
    (define-key map (kbd "c") #'frank-steps-command)
    (define-key map (kbd "<") #'frank-steps-first)
    (define-key map (kbd ">") #'frank-steps-last)
    map)
  "The keys of `frank-steps-mode'.")

(define-derived-mode frank-steps-mode special-mode "Frank steps"
  "Shows a run state by state."
  (setq truncate-lines t))

;;;###autoload
(defun frank-step (what)
  "Show the run of WHAT, an operator without arguments or a term, state by state."
  (interactive (list (read-string "Operator or term: " "main")))
  (let* ((server (or (and (fboundp 'eglot-current-server) (eglot-current-server))
                     (user-error "No server: M-x eglot starts one")))
         (key (if (string-match-p "\\`[[:alpha:]_][[:alnum:]_']*\\'" what) :name :term))
         (uri (plist-get (eglot--TextDocumentIdentifier) :uri))
         (run (jsonrpc-request server :frank/step (list :textDocument (list :uri uri) key what)))
         (file (current-buffer)))
    (with-current-buffer (get-buffer-create frank-steps--buffer)
      (frank-steps-mode)
      (setq frank-steps--run run
            frank-steps--file file)
      (pop-to-buffer (current-buffer))
      (frank-steps--show 0))))

(declare-function eglot--TextDocumentIdentifier "eglot")

(provide 'frank-steps)
;;; frank-steps.el ends here
