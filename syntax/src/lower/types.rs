//! Types, abilities, adjustments and adaptors.

use text_size::TextRange;

use super::Lowering;
use crate::ast::{
    AbilityExpr, AdaptorExpr, AdaptorShape, Adjustment, CompType, InstanceExpr, NodeId, Peg, Port,
    Tail, TypeArg, TypeExpr, TypeId, TypeKind,
};
use crate::error::{Replacement, SyntaxError, SyntaxErrorKind};
use crate::language::Kind;
use crate::literal;
use crate::repair::HOLE;
use crate::stack::ensure_sufficient_stack;

/// What stands between two arrows.
struct Element {
    id: NodeId,
    range: TextRange,
    adjustments: Vec<Adjustment>,
    /// Where the adjustments stand, and how they are written.
    adjustments_written: Option<(TextRange, String)>,
    ability: Option<AbilityExpr>,
    ty: TypeId,
}

impl Lowering<'_> {
    /// The current node as a type.
    pub(super) fn ty(&mut self, kind: Kind) -> TypeId {
        // Types nest in brackets alone, and brackets nest to a limit.
        ensure_sufficient_stack(|| match kind {
            Kind::TypeName | Kind::BuiltinType => match self.name() {
                Some(name) => {
                    let kind = TypeKind::Name {
                        name,
                        args: Vec::new(),
                        parenthesised: false,
                    };
                    self.types.alloc(TypeExpr { id: name.id, kind })
                }
                None => self.missing_type(),
            },
            Kind::ParenthesizedType => self.parenthesised_type(),
            Kind::ComputationType => self.computation_type(),
            Kind::TypeApplication => {
                let id = self.id();
                let mut name = None;
                let mut args = Vec::new();
                self.children(|this, kind| match kind {
                    Kind::TypeName if name.is_none() => name = this.name(),
                    _ => this.type_args(kind, &mut args),
                });
                let kind = match name {
                    Some(name) => TypeKind::Name {
                        name,
                        args,
                        parenthesised: false,
                    },
                    None => TypeKind::Missing,
                };
                self.types.alloc(TypeExpr { id, kind })
            }
            _ => self.missing_type(),
        })
    }

    fn parenthesised_type(&mut self) -> TypeId {
        let mut ability = None;
        let mut inside = None;
        self.children(|this, kind| match kind {
            Kind::Ability => ability = Some(this.ability()),
            _ if kind.is_type() => {
                let ty = this.ty(kind);
                if let Some(ability) = ability.take() {
                    this.attach_or_report(ability, ty);
                }
                inside = Some(ty);
            }
            _ => {}
        });
        let Some(inside) = inside else {
            return self.missing_type();
        };
        match &mut self.types[inside].kind {
            TypeKind::Name {
                args,
                parenthesised,
                ..
            } => *parenthesised = args.is_empty(),
            TypeKind::Computation(_) => {
                self.parenthesised.insert(inside);
            }
            TypeKind::Missing => {}
        }
        inside
    }

    /// Lowers the current node if it is a type argument.
    fn type_args(&mut self, kind: Kind, args: &mut Vec<TypeArg>) {
        match kind {
            Kind::Ability => args.push(TypeArg::Ability(self.ability())),
            Kind::ComputationType => {
                let (ability, ty) = self.computation();
                // `D [E|]{A -> [F]B}`: the braces have an ability already, so these are two.
                match ability.and_then(|ability| self.attach(ability, ty).err()) {
                    Some(ability) => args.extend([TypeArg::Ability(ability), TypeArg::Type(ty)]),
                    None => args.push(TypeArg::Type(ty)),
                }
            }
            _ if kind.is_type() => args.push(TypeArg::Type(self.ty(kind))),
            _ => {}
        }
    }

    /// The current computation type with the ability in front of its braces, if there is one.
    fn computation_type(&mut self) -> TypeId {
        let (ability, ty) = self.computation();
        if let Some(ability) = ability {
            self.attach_or_report(ability, ty);
        }
        ty
    }

    /// The current computation type, and the ability in front of its braces, not yet attached.
    fn computation(&mut self) -> (Option<AbilityExpr>, TypeId) {
        ensure_sufficient_stack(|| {
            let id = self.id();
            let mut ability = None;
            let mut elements = Vec::new();
            self.children(|this, kind| match kind {
                Kind::Ability => ability = Some(this.ability()),
                Kind::Port | Kind::Peg => elements.push(this.element()),
                _ => {}
            });
            let comp = self.comp_type(id, elements);
            (
                ability,
                self.types.alloc(TypeExpr {
                    id,
                    kind: TypeKind::Computation(comp),
                }),
            )
        })
    }

    /// The type of the current signature; braces that were left out are added.
    pub(super) fn signature_type(&mut self) -> CompType {
        let mut elements = Vec::new();
        self.children(|this, kind| {
            if matches!(kind, Kind::Port | Kind::Peg) {
                elements.push(this.element());
            }
        });
        let start = elements.first().map(|element| element.range.start());
        let range = TextRange::new(
            start.unwrap_or_else(|| self.range().end()),
            self.range().end(),
        );
        let id = self.map.push(range);
        if elements.len() != 1 {
            return self.comp_type(id, elements);
        }
        let Some(mut element) = elements.pop() else {
            return self.comp_type(id, elements);
        };
        self.no_adjustments(&element);
        let is_braces = self.is_braces(element.ty);
        match element.ability.take() {
            // `[Σ]{…}`, unless the braces have an ability of their own: then they are a result.
            Some(ability) if is_braces => match self.attach(ability, element.ty) {
                Ok(()) => self.comp_of(id, element.ty),
                Err(ability) => CompType {
                    id,
                    ports: Vec::new(),
                    peg: Peg {
                        ability: Some(ability),
                        ty: element.ty,
                    },
                },
            },
            None if is_braces => self.comp_of(id, element.ty),
            Some(ability) => CompType {
                id,
                ports: Vec::new(),
                peg: Peg {
                    ability: Some(ability),
                    ty: element.ty,
                },
            },
            None => {
                if !matches!(self.types[element.ty].kind, TypeKind::Missing) {
                    let message =
                        "an operator's type needs braces, an arrow, or an ability in front";
                    let text = self
                        .text
                        .get(std::ops::Range::<usize>::from(element.range))
                        .unwrap_or_default();
                    let help = format!("for an operator without arguments write `{{{text}}}`");
                    self.error_with_help(SyntaxErrorKind::BareType, element.range, message, help);
                }
                CompType {
                    id,
                    ports: Vec::new(),
                    peg: Peg {
                        ability: None,
                        ty: element.ty,
                    },
                }
            }
        }
    }

    /// The computation type that `ty` is, as the type of an item.
    fn comp_of(&mut self, id: NodeId, ty: TypeId) -> CompType {
        match &self.types[ty].kind {
            TypeKind::Computation(comp) => comp.clone(),
            _ => CompType {
                id,
                ports: Vec::new(),
                peg: Peg { ability: None, ty },
            },
        }
    }

    /// True for braces that are not in parentheses.
    fn is_braces(&self, ty: TypeId) -> bool {
        matches!(self.types[ty].kind, TypeKind::Computation(_)) && !self.parenthesised.contains(&ty)
    }

    /// Makes `ability` that of the braces `ty`. Gives it back if `ty` is no braces, or braces with
    /// an ability of their own. In `[E]{[F]{A}}` the inner ability is that of the inner braces.
    fn attach(&mut self, ability: AbilityExpr, ty: TypeId) -> Result<(), AbilityExpr> {
        if !self.can_attach(ty) {
            return Err(ability);
        }
        let mut moving = Some(ability);
        let mut ty = ty;
        // What was there moves on to the braces inside.
        while let Some(ability) = moving
            && let TypeKind::Computation(comp) = &mut self.types[ty].kind
        {
            moving = comp.peg.ability.replace(ability);
            ty = comp.peg.ty;
        }
        Ok(())
    }

    /// True if [`Lowering::attach`] works on `ty`.
    fn can_attach(&self, mut ty: TypeId) -> bool {
        loop {
            if !self.is_braces(ty) {
                return false;
            }
            match &self.types[ty].kind {
                TypeKind::Computation(comp) if comp.peg.ability.is_some() => ty = comp.peg.ty,
                _ => return true,
            }
        }
    }

    /// Makes `ability` that of the braces `ty`; an error if it cannot be.
    pub(super) fn attach_or_report(&mut self, ability: AbilityExpr, ty: TypeId) {
        let range = self.map.range(ability.id);
        if self.attach(ability, ty).is_err() && !matches!(self.types[ty].kind, TypeKind::Missing) {
            let message = match self.is_braces(ty) {
                true => "these braces have an ability already",
                false => "an ability stands in front of braces or of an operator's result",
            };
            self.error(SyntaxErrorKind::Unexpected, range, message);
        }
    }

    /// What stands between two arrows: the current port or peg.
    fn element(&mut self) -> Element {
        let (id, range) = (self.id(), self.range());
        let mut adjustments = Vec::new();
        let mut adjustments_written = None;
        let mut ability = None;
        let mut ty = None;
        self.children(|this, kind| match kind {
            Kind::Adjustments => {
                adjustments_written = Some((this.range(), this.node_text().to_owned()));
                adjustments = this.adjustments();
            }
            Kind::Ability => ability = Some(this.ability()),
            _ if kind.is_type() => ty = Some(this.ty(kind)),
            _ => {}
        });
        let ty = ty.unwrap_or_else(|| self.missing_type());
        Element {
            id,
            range,
            adjustments,
            adjustments_written,
            ability,
            ty,
        }
    }

    /// The last element is the peg, the others are ports.
    fn comp_type(&mut self, id: NodeId, mut elements: Vec<Element>) -> CompType {
        let Some(peg) = elements.pop() else {
            let ty = self.missing_type();
            return CompType {
                id,
                ports: Vec::new(),
                peg: Peg { ability: None, ty },
            };
        };
        let mut ports = Vec::with_capacity(elements.len());
        for element in elements {
            if let Some(ability) = element.ability {
                self.attach_or_report(ability, element.ty);
            }
            ports.push(Port {
                id: element.id,
                adjustments: element.adjustments,
                ty: element.ty,
            });
        }
        self.no_adjustments(&peg);
        CompType {
            id,
            ports,
            peg: Peg {
                ability: peg.ability,
                ty: peg.ty,
            },
        }
    }

    fn no_adjustments(&mut self, peg: &Element) {
        let Some((range, written)) = &peg.adjustments_written else {
            return;
        };
        let is_instance = |one: &Adjustment| matches!(one, Adjustment::Instance(_));
        let is_ability = peg.ability.is_none() && peg.adjustments.iter().all(is_instance);
        let instances = written.trim_start_matches('<').trim_end_matches('>').trim();
        let ability = format!("[{instances}]");
        let is_whole = is_ability && !instances.is_empty() && !instances.contains(HOLE);
        let help = match is_whole {
            true => format!("what a result may perform stands in brackets: `{ability}`"),
            false => "what a result may perform stands in brackets: `[Console]Unit`".to_owned(),
        };
        self.errors.push(SyntaxError {
            kind: SyntaxErrorKind::Habit,
            range: *range,
            message: "`<…>` stands before the type of an argument whose commands are handled, and this is \
                      the result's"
                .to_owned(),
            related: Vec::new(),
            help: Some(help),
            replacement: is_whole.then(|| Replacement {
                range: *range,
                text: ability,
                safe: true,
                uses: Vec::new(),
            }),
        });
    }

    // Abilities

    pub(super) fn ability(&mut self) -> AbilityExpr {
        let id = self.id();
        let mut tail = Tail::Implicit;
        let mut instances = Vec::new();
        self.children(|this, kind| match kind {
            Kind::EffectName => {
                if let Some(name) = this.name() {
                    tail = Tail::Named(name);
                }
            }
            Kind::Natural => {
                tail = Tail::Closed;
                if literal::natural(this.node_text()) != Some(0) {
                    let range = this.range();
                    let message = "the tail of an ability is `0` or an effect variable";
                    this.error(SyntaxErrorKind::Unexpected, range, message);
                }
            }
            Kind::Instance => instances.extend(this.instance()),
            _ => {}
        });
        AbilityExpr {
            id,
            tail,
            instances,
        }
    }

    pub(super) fn instance(&mut self) -> Option<InstanceExpr> {
        let id = self.id();
        let mut interface = None;
        let mut args = Vec::new();
        self.children(|this, kind| match kind {
            Kind::InterfaceName => interface = this.name(),
            _ => this.type_args(kind, &mut args),
        });
        Some(InstanceExpr {
            id,
            interface: interface?,
            args,
        })
    }

    fn adjustments(&mut self) -> Vec<Adjustment> {
        let mut adjustments = Vec::new();
        let mut before_bar = 0;
        self.children(|this, kind| match kind {
            Kind::Bar => before_bar = adjustments.len(),
            Kind::Instance => adjustments.extend(this.instance().map(Adjustment::Instance)),
            Kind::Adaptor => adjustments.extend(this.adaptor().map(Adjustment::Adaptor)),
            _ => {}
        });
        // An adaptor without a shape looks like an instance; it stands before the bar.
        for (index, adjustment) in adjustments.iter_mut().enumerate() {
            match adjustment {
                Adjustment::Instance(instance) if index < before_bar => {
                    if let Some(range) = self.range_of_args(instance) {
                        let message =
                            "an adaptor has no type arguments: left of `|` stand adaptors";
                        self.error(SyntaxErrorKind::Unexpected, range, message);
                    }
                    let (id, interface) = (instance.id, instance.interface);
                    *adjustment = Adjustment::Adaptor(AdaptorExpr {
                        id,
                        interface,
                        shape: None,
                    });
                }
                Adjustment::Adaptor(adaptor) if index >= before_bar => {
                    let range = self.map.range(adaptor.id);
                    let text = self
                        .text
                        .get(std::ops::Range::<usize>::from(range))
                        .unwrap_or_default();
                    let help = format!("write `{text} |`, and the instances behind the bar");
                    let message = "this adaptor needs a `|` behind it";
                    self.error_with_help(SyntaxErrorKind::Unexpected, range, message, help);
                }
                _ => {}
            }
        }
        adjustments
    }

    /// The range of the first argument of `instance`.
    fn range_of_args(&self, instance: &InstanceExpr) -> Option<TextRange> {
        instance.args.first().map(|arg| match arg {
            TypeArg::Type(ty) => self.map.range(self.types[*ty].id),
            TypeArg::Ability(ability) => self.map.range(ability.id),
        })
    }

    pub(super) fn adaptor(&mut self) -> Option<AdaptorExpr> {
        let id = self.id();
        let mut interface = None;
        let mut rest = None;
        let mut left = Vec::new();
        let mut right = Vec::new();
        let mut behind_arrow = false;
        self.children(|this, kind| match kind {
            Kind::InterfaceName => interface = this.name(),
            Kind::Arrow => behind_arrow = true,
            Kind::Name if behind_arrow => right.extend(this.name()),
            Kind::Name if rest.is_none() => rest = this.name(),
            Kind::Name => left.extend(this.name()),
            _ => {}
        });
        let shape = rest.map(|rest| AdaptorShape { rest, left, right });
        Some(AdaptorExpr {
            id,
            interface: interface?,
            shape,
        })
    }
}
