// Defines the element, before Vue makes one: what it then finds on it are properties, everything else is attributes.
import "assent-chat";
import { createApp } from "vue";
import App from "./App.vue";

createApp(App).mount("#app");
