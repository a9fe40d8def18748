"""The paper's generalized landmarks: state functions, landmark graphs, their progression and satisfaction;
and the interface `Guidance`, which programs share."""
