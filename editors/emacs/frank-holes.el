;;; frank-holes.el --- Holes in Frank programs  -*- lexical-binding: t; -*-

;;; Commentary:

;; `frank-next-hole' and `frank-previous-hole' go from hole to hole, `frank-holes' lists those of the workspace, and
;; `frank-fill' asks the server for terms that fit, and writes the one that is chosen.

;;; Code:

(require 'url-parse)
(require 'url-util)
(require 'xref)

(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentPositionParams "eglot")
(declare-function eglot--lsp-position-to-point "eglot")
(declare-function jsonrpc-request "jsonrpc")

(defun frank-holes--ask (method params)
  "Ask the server of this buffer for METHOD with PARAMS."
  (jsonrpc-request (or (and (fboundp 'eglot-current-server) (eglot-current-server))
                       (user-error "No server serves this buffer: M-x eglot starts it"))
                   ;; What was just typed is sent first.
                   method params :deferred method))

(defun frank-holes--shown (hole)
  "HOLE on a line, with the type that its place needs."
  (format "%s : %s, in %s"
          (plist-get hole :name) (or (plist-get hole :type) "any type") (plist-get hole :inside)))

(defun frank-holes--path (hole)
  "The file that HOLE is in."
  (decode-coding-string
   (url-unhex-string (url-filename (url-generic-parse-url (plist-get hole :uri)))) 'utf-8))

(defun frank-holes--go (forwards)
  "Go to the next hole, or with FORWARDS nil to the previous one."
  (let ((hole (frank-holes--ask :frank/nextHole
                                (append (eglot--TextDocumentPositionParams)
                                        (list :forwards (if forwards t :json-false))))))
    (unless hole
      (user-error "There are no holes"))
    (push-mark nil t)
    (find-file (frank-holes--path hole))
    (goto-char (eglot--lsp-position-to-point (plist-get (plist-get hole :range) :start)))
    (message "%s" (frank-holes--shown hole))))

;;;###autoload
(defun frank-next-hole ()
  "Go to the hole behind point, or round the end to the first one.
From a file without holes go to the next file that has some."
  (interactive)
  (frank-holes--go t))

;;;###autoload
(defun frank-previous-hole ()
  "Go to the hole before point, or round the beginning to the last one.
From a file without holes go to the file before it that has some."
  (interactive)
  (frank-holes--go nil))

(defun frank-holes--xref (hole)
  "HOLE as xref lists it."
  (let ((start (plist-get (plist-get hole :range) :start)))
    (xref-make (frank-holes--shown hole)
               (xref-make-file-location (frank-holes--path hole)
                                        (1+ (plist-get start :line))
                                        (plist-get start :character)))))

(defun frank-holes--all ()
  "All holes of the workspace, as xref lists them."
  (mapcar #'frank-holes--xref (frank-holes--ask :frank/holes (make-hash-table))))

;;;###autoload
(defun frank-holes ()
  "List the holes of the workspace, with the types that their places need."
  (interactive)
  (let ((holes (frank-holes--all)))
    (unless holes
      (user-error "There are no holes"))
    (funcall xref-show-xrefs-function (lambda () holes)
             (list (cons 'window (selected-window))))))

(defun frank-holes--term (term)
  "TERM on a line, with what is known of the examples."
  (concat (plist-get term :text)
          (pcase (plist-get term :examplesHold)
            ('t "    the examples hold")
            (:json-false "    an example fails"))))

(defun frank-holes--choose (lines note)
  "Have the user choose one of LINES, which are in order; NOTE is what was tried."
  (completing-read
   (format "%s: " note)
   (lambda (text predicate action)
     (if (eq action 'metadata)
         '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
       (complete-with-action action lines text predicate)))
   nil t nil nil (car lines)))

;;;###autoload
(defun frank-fill ()
  "List terms that fit the hole at point, and write the one that is chosen."
  (interactive)
  (let* ((found (or (frank-holes--ask :frank/fill (eglot--TextDocumentPositionParams))
                    (user-error "There is no hole at point")))
         (lines (mapcar (lambda (term) (cons (frank-holes--term term) (plist-get term :text)))
                        (plist-get found :terms)))
         (range (plist-get found :range))
         (note (plist-get found :note)))
    (unless lines
      (user-error "No term was found: %s" note))
    (let ((chosen (cdr (assoc (frank-holes--choose (mapcar #'car lines) note) lines)))
          (start (eglot--lsp-position-to-point (plist-get range :start) t))
          (end (eglot--lsp-position-to-point (plist-get range :end) t)))
      (when chosen
        ;; Somebody may have written there in the meantime.
        (unless (string-match-p "\\`_[[:alnum:]_']*\\'" (buffer-substring-no-properties start end))
          (user-error "The hole is gone"))
        (delete-region start end)
        (goto-char start)
        (insert chosen)))))

(provide 'frank-holes)
;;; frank-holes.el ends here
