; Handlers by hand with the continuations of Chez Scheme: the paper's handlers for derivatives and the
; classical programs. Prints the name, the nanoseconds and the value of each workload.

(optimize-level 3)

; --- handlers: a stack of them; one has its clauses and where its computation returns to ---

(define-record-type handler (fields tag clause (mutable back)))

(define handlers '())

; Runs a computation under a handler. A clause gets the arguments of its command and gives a value
; to resume with at once (`tail` commands), or takes the continuation (`control`). What comes back
; is a thunk, so that it runs where the handler stands.
(define (handle tag clause thunk)
  (let ([outside handlers])
    ((call/1cc
       (lambda (back)
         (let ([h (make-handler tag clause (lambda (t) (set! handlers outside) (back t)))])
           (set! handlers (cons h outside))
           (let ([value (thunk)])
             ((handler-back h) (lambda () value)))))))))

(define (find tag stack)
  (if (eq? (handler-tag (car stack)) tag) stack (find tag (cdr stack))))

; Performs a command whose clause resumes last: it runs where the handler stands.
(define-syntax tail
  (syntax-rules ()
    [(_ tag arg ...)
     (let* ([inside handlers] [at (find tag inside)])
       (set! handlers (cdr at))
       (let ([value ((handler-clause (car at)) arg ...)])
         (set! handlers inside)
         value))]))

; Performs a command whose clause takes the continuation. `call` is call/1cc, or call/cc for clauses
; that resume twice.
(define-syntax control-with
  (syntax-rules ()
    [(_ call tag arg ...)
     (call
       (lambda (k)
         (let* ([inside handlers] [h (car (find tag inside))])
           ((handler-back h)
            (lambda ()
              ((handler-clause h)
               (lambda (value)
                 (let ([outside handlers])
                   ((call
                      (lambda (back)
                        (handler-back-set! h (lambda (t) (set! handlers outside) (back t)))
                        (set! handlers inside)
                        (k value))))))
               arg ...))))))]))

(define-syntax control
  (syntax-rules () [(_ tag arg ...) (control-with call/1cc tag arg ...)]))

; --- measuring ---

(define (nanoseconds)
  (let ([t (current-time 'time-thread)])
    (+ (* 1000000000 (time-second t)) (time-nanosecond t))))

(define (report name operations work)
  (let go ([n 3] [least +inf.0] [value 0])
    (if (= n 0)
        (printf "~a\t~a\t~a\n" name (/ (round (* 1000.0 (/ least operations))) 1000.0)
                (exact->inexact value))
        (begin
          (collect)
          (let* ([start (nanoseconds)] [value (work)] [took (- (nanoseconds) start)])
            (go (- n 1) (min least (exact->inexact took)) value)))))
  (flush-output-port))

; --- smooth operations; the tag says on which type ---

(define-record-type dual (fields v dv))
(define-record-type prop (fields v d))

(define (smooth tag)
  (let* ([ap (if (eq? tag 'prop)
                 (lambda (o x y) (control 'prop o x y))
                 (lambda (o x y) (tail tag o x y)))])
    (lambda (o x y) (ap o x y))))

(define (evaluate thunk)
  (handle 'float
    (lambda (o x y)
      (case o
        [(const) x]
        [(negate) (fl- x)]
        [(recip) (fl/ x)]
        [(plus) (fl+ x y)]
        [else (fl* x y)]))
    thunk))

(define (derl ap o x y) (case o [(plus) (ap 'const 1.0 0)] [else y]))
(define (derr ap o x y) (case o [(plus) (ap 'const 1.0 0)] [else x]))
; The derivative of the reciprocal, at a number whose reciprocal is r.
(define (der-recip ap r) (ap 'negate (ap 'times r r) 0))

(define (diff tag below thunk)
  (let ([ap (smooth below)])
    (handle tag
      (lambda (o x y)
        (case o
          [(const) (make-dual (ap 'const x 0) (ap 'const 0.0 0))]
          [(recip)
           (let ([r (ap 'recip (dual-v x) 0)])
             (make-dual r (ap 'times (der-recip ap r) (dual-dv x))))]
          [else
           (let ([xv (dual-v x)] [yv (dual-v y)])
             (let* ([v (ap o xv yv)]
                    [l (ap 'times (derl ap o xv yv) (dual-dv x))]
                    [r (ap 'times (derr ap o xv yv) (dual-dv y))])
               (make-dual v (ap 'plus l r))))]))
      thunk)))

(define (d tag below f x)
  (let ([one ((smooth below) 'const 1.0 0)])
    (dual-dv (diff tag below (lambda () (f (make-dual x one)))))))

(define (reverse-clause ap)
  (lambda (k o x y)
    (case o
      [(const) (k (make-prop (ap 'const x 0) (box (ap 'const 0.0 0))))]
      [(recip)
       (let ([r (ap 'recip (prop-v x) 0)] [d (box (ap 'const 0.0 0))])
         (k (make-prop r d))
         (set-box! (prop-d x)
           (ap 'plus (unbox (prop-d x)) (ap 'times (der-recip ap r) (unbox d)))))]
      [else
       (let ([xv (prop-v x)] [yv (prop-v y)])
         (let* ([v (ap o xv yv)] [d (box (ap 'const 0.0 0))])
           (k (make-prop v d))
           (set-box! (prop-d x)
             (ap 'plus (unbox (prop-d x)) (ap 'times (derl ap o xv yv) (unbox d))))
           (set-box! (prop-d y)
             (ap 'plus (unbox (prop-d y)) (ap 'times (derr ap o xv yv) (unbox d))))))])))

(define (gradient f x)
  (let* ([ap (smooth 'float)] [z (make-prop x (box (ap 'const 0.0 0)))])
    (handle 'prop (reverse-clause ap)
      (lambda () (set-box! (prop-d (f z)) 1.0)))
    (unbox (prop-d z))))

(define (loop tag rounds x)
  (let ([ap (smooth tag)])
    (let from ([n rounds] [x x])
      (if (fx= n 0) x
          (from (fx- n 1)
            (ap 'recip (ap 'plus (ap 'const 1.3 0) (ap 'times (ap 'const -0.8 0) x)) 0))))))

(define (derivative name operations mode)
  (let ([rounds (quotient operations 3)])
    (report name (* 3 rounds) (lambda () (mode rounds)))))

(define (plain n) (evaluate (lambda () (loop 'float n 0.4))))
(define (forward n) (evaluate (lambda () (d 'dual 'float (lambda (x) (loop 'dual n x)) 0.4))))
(define (twice n)
  (evaluate
    (lambda ()
      (d 'dual 'float
         (lambda (x) (d 'dual2 'dual (lambda (y) (loop 'dual2 n y)) x))
         0.4))))
(define (backward n) (evaluate (lambda () (gradient (lambda (x) (loop 'prop n x)) 0.4))))

; --- the classical programs ---

(define (countdown n)
  (let ([state n])
    (handle 'get (lambda () state)
      (lambda ()
        (handle 'put (lambda (s) (set! state s))
          (lambda ()
            (let go ()
              (let ([i (tail 'get)])
                (if (fx= i 0) i (begin (tail 'put (fx- i 1)) (go)))))))))))

(define (queens n)
  (define (ways k n)
    (let go ([n n] [sum 0])
      (if (fx= n 0) sum (go (fx- n 1) (fx+ sum (k n))))))
  (define (safe q d rs)
    (or (null? rs)
        (let ([r (car rs)])
          (and (not (fx= q r)) (not (fx= q (fx+ r d))) (not (fx= q (fx- r d)))
               (safe q (fx+ d 1) (cdr rs))))))
  (handle 'choice (lambda (k o) (if (fx= o 0) 0 (ways k o)))
    (lambda ()
      (let place ([i n] [rs '()])
        (if (fx= i 0) 1
            (let ([q (control-with call/cc 'choice n)])
              (if (safe q 1 rs) (place (fx- i 1) (cons q rs))
                  (control-with call/cc 'choice 0))))))))

(define (generator n)
  (define (tree n) (if (fx= n 0) '() (let ([t (tree (fx- n 1))]) (vector t n t))))
  (define (walk t)
    (unless (null? t)
      (walk (vector-ref t 0))
      (control 'emit (vector-ref t 1))
      (walk (vector-ref t 2))))
  (define (total s stream) (if (null? stream) s (total (fx+ s (car stream)) ((cdr stream)))))
  (let ([t (tree n)])
    (total 0
      (handle 'emit (lambda (k x) (cons x (lambda () (k 0))))
        (lambda () (walk t) '())))))

(define (exceptions n)
  (define (dig n) (if (fx= n 0) (control 'raise 1) (fx+ 1 (dig (fx- n 1)))))
  (let go ([n n] [sum 0])
    (if (fx= n 0) sum
        (go (fx- n 1)
            (fx+ sum (handle 'raise (lambda (k i) i) (lambda () (dig 1000))))))))

(define (iterator n)
  (let ([sum 0])
    (handle 'emit (lambda (x) (set! sum (+ sum x)))
      (lambda ()
        (let count ([i 1]) (when (fx<= i n) (tail 'emit i) (count (fx+ i 1))))
        sum))))

(define (integers n) (let go ([n n] [x 0]) (if (fx= n 0) x (go (fx- n 1) (fx+ x n)))))

(derivative "plain 30k" 30000 plain)
(derivative "forward 30k" 30000 forward)
(derivative "reverse 3k" 3000 backward)
(derivative "reverse 30k" 30000 backward)
(derivative "reverse 300k" 300000 backward)
(derivative "reverse 1M" 1000000 backward)
(derivative "twice 30k" 30000 twice)
(report "integers" 3e6 (lambda () (integers 3000000)))
(report "countdown" 1 (lambda () (countdown 1000000)))
(report "queens" 1 (lambda () (queens 8)))
(report "generator" 1 (lambda () (generator 16)))
(report "exceptions" 1 (lambda () (exceptions 1000)))
(report "iterator" 1 (lambda () (iterator 1000000)))
