;;; frank-find.el --- Search by type for Frank  -*- lexical-binding: t; -*-

;;; Commentary:

;; `frank-find-by-type' asks the server what has a type, lists it, and goes to what is chosen.

;;; Code:

(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function jsonrpc-request "jsonrpc")

(defvar frank-find--history nil
  "The types that were looked for.")

(defun frank-find--line (found)
  "FOUND on a line: what it is, where, and why it is an answer."
  (format "%s : %s    %s" (plist-get found :name) (plist-get found :type) (plist-get found :text)))

(defun frank-find--choose (lines)
  "Have the user choose one of LINES, which are in order."
  (completing-read
   "Go to: "
   (lambda (text predicate action)
     (if (eq action 'metadata)
         '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
       (complete-with-action action lines text predicate)))
   nil t nil nil (car lines)))

(defun frank-find--go (found)
  "Go to where FOUND is defined."
  (let* ((location (plist-get found :location))
         (start (plist-get (plist-get location :range) :start))
         (file (url-unhex-string (url-filename (url-generic-parse-url (plist-get location :uri))))))
    (find-file (decode-coding-string file 'utf-8))
    (goto-char (point-min))
    (forward-line (plist-get start :line))))

;;;###autoload
(defun frank-find-by-type (type)
  "List what has TYPE, in the workspace and the library, and go to what is chosen."
  (interactive (list (read-string "Type: " nil 'frank-find--history)))
  (let* ((server (or (and (fboundp 'eglot-current-server) (eglot-current-server))
                     (user-error "No server: M-x eglot starts one")))
         (uri (plist-get (eglot--TextDocumentIdentifier) :uri))
         (answer (jsonrpc-request server :frank/findByType
                                  (list :type type :textDocument (list :uri uri))))
         (mistakes (append (plist-get answer :mistakes) nil))
         (nearest (plist-get answer :nearest))
         (found (or (append (plist-get answer :found) nil) (and nearest (list nearest))))
         (lines (mapcar (lambda (one) (cons (frank-find--line one) one)) found)))
    (when mistakes
      (user-error "%s" (plist-get (car mistakes) :message)))
    (unless lines
      (user-error "Nothing has this type, or one that says the same"))
    (let ((chosen (assoc (frank-find--choose lines) lines)))
      (when chosen
        (frank-find--go (cdr chosen))))))

(require 'url-parse)
(require 'url-util)

(provide 'frank-find)
;;; frank-find.el ends here
