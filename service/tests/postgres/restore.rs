//! A backup as docs/DEPLOY.md describes it: taken while the service runs, the database before the
//! files, and put back over what came after it.

use std::{path::Path, process::Command};

use serde_json::json;

use crate::common::{
    Folder, THREADS, USER, agents::Gate, body, database::TestDatabase, messages_of, recover,
    service_in, settings, text,
};

fn run(program: &str, arguments: &[&str]) {
    let done = Command::new(program).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{program}: {said}");
}

fn copy(from: &Path, to: &Path) {
    std::fs::remove_dir_all(to).ok();
    run("cp", &["-a", from.to_str().unwrap(), to.to_str().unwrap()]);
}

#[tokio::test]
async fn a_backup_of_a_service_that_runs_is_put_back_and_goes_on() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let gate = Gate::new();
    let service = service_in(folder.clone(), settings(), vec![gate.clone()]).await;
    let file = service.upload("list.txt", "text/plain", b"milk").await;
    let (asked, _) = service.asked("two tools").await;
    let under_way = service.thread("gate").await;
    let live = service.listen().await;
    let mut posted = live.post(&messages_of(&under_way), USER, &text("go")).await;
    posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let before = service.messages(&asked).await;

    let dump = folder.0.join("assent.dump");
    let (dump, address) = (dump.to_str().unwrap(), folder.storage_options()[1].clone());
    let options = ["--format", "custom", "--file", dump, &address];
    run("pg_dump", &options);
    let (uploads, kept) = (folder.uploads(), folder.0.join("kept"));
    copy(&uploads, &kept);

    // What comes later is gone, and what is taken away later is there again.
    let later = service.thread("demo").await;
    service.say(&later, "hello").await;
    let path = format!("{THREADS}/{asked}");
    assert_eq!(service.delete(&path).await.status, 204);
    gate.open.add_permits(1);
    posted.rest().await;
    live.stop().await;
    drop(service);
    let options = ["--clean", "--if-exists", "--dbname", &address, dump];
    run("pg_restore", &options);
    copy(&kept, &uploads);
    folder.end_leases();

    let service = service_in(folder.clone(), settings(), vec![Gate::new()]).await;
    let store = service.state.store();
    store.bury().await.unwrap();
    assert_eq!(recover(store, &|_| false).await.0, 1);
    assert_eq!(service.messages(&asked).await, before);
    assert_eq!(service.get(&messages_of(&later)).await.status, 404);
    let file = json!({ "type": "document", "fileId": file["fileId"] });
    let with_file = service.thread("demo").await;
    service.stream(&with_file, &body(&[file])).await;
    assert_eq!(folder.kept().len(), 1);
    assert_eq!(store.audit().await.unwrap().fault(None), None);
    let ended = service.messages(&under_way).await;
    assert!(ended[1]["content"].as_str().unwrap().contains("first"));
}
