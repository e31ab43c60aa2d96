;;; frank-dap.el --- The debugger of Frank for dap-mode  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "27.1") (dap-mode "0.7"))
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; `M-x dap-debug' offers the file that is shown, and a term in it.

;;; Code:

(require 'dap-mode)
(require 'dap-ui)
(require 'frank-mode)

(defun frank-dap--filled (configuration)
  "CONFIGURATION with what the debugger needs: how it is started, and the file."
  (let ((filled (copy-sequence configuration)))
    (dap--put-if-absent filled :dap-server-path (list frank-program "dap"))
    (dap--put-if-absent filled :program (buffer-file-name))
    (when (eq (plist-get filled :term) t)
      (plist-put filled :term (read-string "Term: " "main!")))
    filled))

(dap-register-debug-provider "frank" #'frank-dap--filled)

(dap-register-debug-template
 "Frank: this file"
 (list :type "frank" :request "launch" :name "Frank: this file"))

(dap-register-debug-template
 "Frank: a term"
 (list :type "frank" :request "launch" :name "Frank: a term" :term t))

(provide 'frank-dap)
;;; frank-dap.el ends here
