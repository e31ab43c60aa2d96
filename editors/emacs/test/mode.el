;;; mode.el --- Tests of frank-mode  -*- lexical-binding: t; -*-
;; emacs --batch -Q -L editors/emacs -l editors/emacs/test/mode.el -f ert-run-tests-batch-and-exit
(require 'ert)
(require 'frank-mode)

(defmacro frank-test (text &rest body)
  (declare (indent 1))
  `(with-temp-buffer (frank-mode) (insert ,text) (font-lock-ensure) ,@body))

(defun frank-face (word)
  (goto-char (point-min))
  (search-forward word)
  (get-text-property (match-beginning 0) 'face))

(ert-deftest frank-faces ()
  (frank-test "-- a comment\ndata Tree X = leaf {-- in {-- nested --} --} | node\nf : Int\nf <get -> k> = \"s\" 'c'\n"
    (should (eq (frank-face "-- a") 'font-lock-comment-delimiter-face))
    (should (eq (frank-face "comment") 'font-lock-comment-face))
    (should (eq (frank-face "nested") 'font-lock-comment-face))
    (should (eq (frank-face "| node") nil))
    (should (eq (frank-face "data") 'font-lock-keyword-face))
    (should (eq (frank-face "Tree") 'font-lock-type-face))
    (should (eq (frank-face "f :") 'font-lock-function-name-face))
    (should (eq (frank-face "Int") 'font-lock-builtin-face))
    (should (eq (frank-face "get") 'font-lock-function-name-face))
    (should (eq (frank-face "\"s") 'font-lock-string-face))
    (should (eq (frank-face "'c'") 'font-lock-string-face))))

(ert-deftest frank-indentation ()
  (dolist (case '(("f x =\ng" . 2) ("f x = h {\ny -> y" . 2) ("f x = h {\n  y -> y\n}" . 0)
                  ("f x =\n  a;\nb" . 2) ("f x = 1\nf y = 2" . 0) ("f x =\n  let a = b in\nc" . 2)))
    (frank-test (car case)
      (frank-indent-line)
      (should (equal (list case (current-indentation)) (list case (cdr case)))))))
;;; mode.el ends here
