// Serves the host pages and dist/ for one run of the tests.

import { PAGE_PORT } from "./addresses.js";
import { fileServer } from "./files.js";

fileServer().listen(PAGE_PORT, "127.0.0.1");
