//! Tests of `src/conductor`.

<<<<<<< HEAD
mod decide;
mod property;
mod world;
=======
mod playbook;
>>>>>>> w/spec
