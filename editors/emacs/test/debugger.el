;;; debugger.el --- The debugger, with dap-mode  -*- lexical-binding: t -*-

;; FRANK names the program: emacs --batch -q -l editors/emacs/test/debugger.el

;;; Code:

(package-initialize)
(add-to-list 'load-path (expand-file-name ".." (file-name-directory load-file-name)))
(require 'frank-dap)
(setq frank-program (getenv "FRANK"))

(defvar frank-test-stopped nil)
(add-hook 'dap-stopped-hook (lambda (_session) (setq frank-test-stopped t)))

(let ((file (make-temp-file "debugged" nil ".fk" "f : Int -> Int\nf x =\n  x + 1\n\nmain : {Int}\nmain! = f 41\n"))
      (left 600))
  (find-file file)
  (goto-char (point-min))
  (forward-line 2)
  (dap-breakpoint-add)
  (dap-start-debugging (frank-dap--filled (list :type "frank" :request "launch" :name "test")))
  (while (and (> left 0)
              (not (and frank-test-stopped (dap--debug-session-active-frame (dap--cur-session)))))
    (accept-process-output nil 0.1)
    (setq left (1- left)))
  (let ((frame (dap--debug-session-active-frame (dap--cur-session))))
    (unless (and frame (equal (gethash "name" frame) "f") (equal (gethash "line" frame) 3))
      (error "The debugger did not stop in `f'"))
    (princ "ok   the debugger\n")))

;;; debugger.el ends here
