// What was asked goes back as it came: compared as text, byte for byte.

import { expect, test } from "../../fixtures.js";
import { requestTexts, storeRequest, tool } from "./tools.js";

/** Three requests of one batch as no serializer of ours would write them. */
const ODD = [
  // Order of keys, numbers, escapes, fields that nobody declared, and one that looks like the result but is deeper.
  '{"zeta":1.50,"toolId":"t","toolName":"first","toolProvider":"P\\u0072","toolCategory":"C","toolExecutionId":"e1",' +
    '"toolExecutionBatchId":"b","toolMemoryId":"m\\/1","toolArguments":{"z":"0.10","a":"\\u00e9\\ud83d\\ude42","n":"1e3"},' +
    '"extra":{"big":12345678901234567890,"list":[1e3,0.10,-0,1E+2,null],"approvalResult":"deeper"},' +
    '"approvalResult":"PENDING_HUMAN_APPROVAL","alpha":true}',
  // Blanks everywhere, line breaks too, the result first, and keys that come twice.
  '{ "approvalResult" :\t"PENDING_HUMAN_APPROVAL" ,\n  "toolId":"t", "toolName" : "second","toolProvider":"P","toolCategory":"C",\n' +
    '"toolExecutionId":"e2","toolExecutionBatchId":"b","toolMemoryId":"m2","note":1,"note":2,"":"",\n' +
    '"toolArguments":{"path":"/a","path":"/b"} }',
  // The result is missing, and is added; one name is spelled with an escape.
  '{"toolId":"t","toolN\\u0061me":"third","toolProvider":"","toolCategory":"","toolExecutionId":"e3","toolExecutionBatchId":"b","toolMemoryId":"m3","toolArguments":{}}',
];
/** The same with decisions, as text. */
const DENIED_APPROVED_DENIED = [
  ODD[0].replace('"PENDING_HUMAN_APPROVAL"', '"DENIED"'),
  ODD[1].replace('"PENDING_HUMAN_APPROVAL"', '"APPROVED"'),
  ODD[2].replace(/}$/, ',"approvalResult":"DENIED"}'),
];

/** Opens a chat whose agent has asked for the odd three. */
async function askedOddly(chat, scripted) {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("Do it");
  const post = await scripted.nextPost();
  const named = (name, id, toolArguments) => tool("b", name, { toolId: "t", toolExecutionId: id, toolArguments });
  const runs = [
    named("first", "e1", { z: "0.10", a: "é🙂", n: "1e3" }),
    named("second", "e2", { path: "/b" }),
    named("third", "e3", {}),
  ];
  storeRequest(scripted, post.thread, ...runs);
  requestTexts(post, ...ODD);
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
}

test("decisions change approvalResult and not one byte more, also after a reload", async ({ page, chat, scripted }) => {
  await askedOddly(chat, scripted);
  await page.reload();
  await chat.decide("first", "Deny");
  await chat.decide("second", "Approve");
  await chat.decide("third", "Deny");
  await chat.submit();
  const answer = await scripted.nextPost();
  expect(answer.raw).toBe(`{"content":[{"type":"tool_approval_result","toolApprovalResult":[${DENIED_APPROVED_DENIED.join(",")}]}]}`);
  answer.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
});
