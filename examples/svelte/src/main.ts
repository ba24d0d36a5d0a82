// Defines the element, before Svelte makes one: what it then finds on it are properties, everything else is attributes.
import "assent-chat";
import { mount } from "svelte";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app")! });
