use super::{Abilities, ReflectMode, Stage, next};
use crate::transcript::{
    AnswerRest, Call, CallEnd, CallResult, ColleagueTask, Item, Note, PlanStep, RequestKind,
};

const ALL: Abilities = Abilities {
    memories: true,
    route: true,
    knowledge: true,
    plan: true,
    review: true,
    colleagues: true,
    reflect: ReflectMode::AfterTools,
};

fn user() -> Item {
    Item::User {
        text: "go".to_owned(),
        images: Vec::new(),
        documents: Vec::new(),
    }
}

fn says() -> Item {
    Item::Model {
        text: "so".to_owned(),
        calls: Vec::new(),
        tokens: 0,
    }
}

fn uses(end: CallEnd) -> [Item; 2] {
    let call = Call {
        id: "c".to_owned(),
        tool: "notes/add".to_owned(),
        arguments: "{}".to_owned(),
        definition: String::new(),
    };
    let result = CallResult {
        call: "c".to_owned(),
        end,
        text: String::new(),
    };
    let model = Item::Model {
        text: String::new(),
        calls: vec![call],
        tokens: 0,
    };
    [model, Item::Result(result)]
}

fn step(task: &str) -> PlanStep {
    PlanStep {
        task: task.to_owned(),
        search: String::new(),
    }
}

fn task(run: &str) -> ColleagueTask {
    ColleagueTask {
        run: run.to_owned(),
        agent: "billing".to_owned(),
        task: "look".to_owned(),
    }
}

/// Plays a turn to its end with these answers of routing, planning and so on; returns the stages.
fn play(
    abilities: Abilities,
    way: RequestKind,
    plan: &[&str],
    replies: &[Option<&str>],
) -> Vec<Stage> {
    let mut turn = vec![user()];
    let mut stages = Vec::new();
    loop {
        let stage = next(&abilities, &turn);
        stages.push(stage.clone());
        assert!(stages.len() < 40, "{stages:?}");
        turn.push(match stage {
            Stage::Done => return stages,
            Stage::Answer => says(),
            Stage::Recall => Item::Note(Note::Memories { texts: Vec::new() }),
            Stage::Route => Item::Note(Note::Route { way }),
            Stage::Consult => Item::Note(Note::Consulted),
            Stage::Plan => Item::Note(Note::Plan {
                steps: plan.iter().map(|task| step(task)).collect(),
            }),
            Stage::Step { number, of, step } => Item::Note(Note::Step {
                number,
                of,
                task: step.task,
            }),
            Stage::Review => Item::Note(Note::Review {
                more: vec![step("again")],
            }),
            Stage::EndPlan { steps } => Item::Note(Note::PlanEnded { steps }),
            Stage::Choose => Item::Note(Note::Colleagues {
                tasks: (0..replies.len()).map(|at| task(&at.to_string())).collect(),
            }),
            Stage::Ask { task, .. } => Item::Note(Note::Reply {
                text: replies[task.run.parse::<usize>().unwrap()].map(str::to_owned),
                name: "Billing".to_owned(),
                run: task.run,
            }),
            Stage::Join(rest) => Item::Note(Note::Replied { rest }),
            Stage::EndJoint => Item::Note(Note::JointlyAnswered),
            Stage::Reflect { .. } => Item::Note(Note::Reflection { advice: None }),
        });
    }
}

#[test]
fn an_agent_without_abilities_only_answers() {
    for way in [
        RequestKind::Simple,
        RequestKind::Complex,
        RequestKind::Collaboration,
    ] {
        let stages = play(Abilities::default(), way, &["one"], &[Some("a")]);
        assert_eq!(stages, [Stage::Answer, Stage::Done]);
    }
}

#[test]
fn a_complex_request_is_planned_done_step_by_step_and_reviewed_once() {
    let begins = |number, of, task: &str| Stage::Step {
        number,
        of,
        step: step(task),
    };
    let stages = play(ALL, RequestKind::Complex, &["one", "two"], &[]);
    assert_eq!(
        stages,
        [
            Stage::Recall,
            Stage::Route,
            Stage::Plan,
            begins(1, 2, "one"),
            Stage::Answer,
            begins(2, 2, "two"),
            Stage::Answer,
            Stage::Review,
            begins(3, 3, "again"),
            Stage::Answer,
            Stage::EndPlan { steps: 3 },
            Stage::Answer,
            Stage::Done,
        ]
    );
    let none = play(ALL, RequestKind::Complex, &[], &[]);
    assert_eq!(
        none[2..],
        [
            Stage::Plan,
            Stage::EndPlan { steps: 0 },
            Stage::Answer,
            Stage::Done
        ]
    );
}

#[test]
fn what_is_left_after_colleagues_depends_on_who_answered() {
    for (replies, rest, end) in [
        (&[Some("a")][..], AnswerRest::Nothing, &[Stage::Done][..]),
        (
            &[Some("a"), None],
            AnswerRest::Joint,
            &[Stage::Answer, Stage::EndJoint, Stage::Done],
        ),
        (
            &[None, None],
            AnswerRest::Everything,
            &[Stage::Answer, Stage::Done],
        ),
    ] {
        let stages = play(ALL, RequestKind::Collaboration, &[], replies);
        let joins = stages
            .iter()
            .position(|stage| *stage == Stage::Join(rest))
            .unwrap();
        assert_eq!(joins, 3 + replies.len());
        assert_eq!(&stages[joins + 1..], end);
    }
    let nobody = play(ALL, RequestKind::Collaboration, &[], &[]);
    assert_eq!(nobody[2..], [Stage::Choose, Stage::Answer, Stage::Done]);
}

#[test]
fn a_decision_in_the_middle_of_a_step_goes_on_with_that_step() {
    let mut turn = vec![
        user(),
        Item::Note(Note::Memories { texts: Vec::new() }),
        Item::Note(Note::Route {
            way: RequestKind::Complex,
        }),
        Item::Note(Note::Plan {
            steps: vec![step("one"), step("two")],
        }),
        Item::Note(Note::Step {
            number: 1,
            of: 2,
            task: "one".to_owned(),
        }),
    ];
    turn.extend(uses(CallEnd::Succeeded));
    assert_eq!(next(&ALL, &turn), Stage::Answer);
    turn.push(says());
    assert!(matches!(next(&ALL, &turn), Stage::Step { number: 2, .. }));
}

#[test]
fn an_answer_is_checked_once_and_corrected_once() {
    let mut turn = vec![user()];
    turn.extend(uses(CallEnd::Succeeded));
    turn.push(says());
    let after_tools = Abilities {
        reflect: ReflectMode::AfterTools,
        ..Abilities::default()
    };
    assert_eq!(next(&after_tools, &turn), Stage::Reflect { stopped: false });
    assert_eq!(next(&after_tools, &[user(), says()]), Stage::Done);
    let mut denied = vec![user()];
    denied.extend(uses(CallEnd::Denied));
    denied.push(says());
    assert_eq!(next(&after_tools, &denied), Stage::Done);
    let always = Abilities {
        reflect: ReflectMode::Always,
        ..Abilities::default()
    };
    assert_eq!(
        next(&always, &[user(), says()]),
        Stage::Reflect { stopped: false }
    );
    let mut stopped = vec![user()];
    stopped.extend(uses(CallEnd::Skipped));
    stopped.push(says());
    assert_eq!(next(&always, &stopped), Stage::Reflect { stopped: true });
    turn.push(Item::Note(Note::Reflection {
        advice: Some("wrong sum".to_owned()),
    }));
    assert_eq!(next(&after_tools, &turn), Stage::Answer);
    turn.push(says());
    assert_eq!(next(&after_tools, &turn), Stage::Done);
}

#[test]
fn a_turn_that_began_without_routing_is_not_routed_later() {
    assert_eq!(next(&ALL, &[user(), says()]), Stage::Done);
}
